import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleAverage } from '../../../test/support/published-sample.js';
import { samplePod } from '../../../test/support/results-sample.js';
import { folderForEach } from '../../../test/support/temp-folder.js';
import { describeResult, saveChart } from './own-result.js';

const folder = folderForEach();

test('noise in the cohort average stands below it, and is explained', () => {
  const document = sampleAverage(samplePod('pods.example.org-anna'), '2026-05-02T10:00:30.000Z');
  const noise = { systolic: 120, diastolic: 80, heart_rate: 0.4 };
  const lines = describeResult({ ...document, cohort_noise: noise });
  const at = lines.findIndex((line) => line.startsWith('cohort average'));
  expect(lines[at + 1]).toMatch(/^noise up to ± +120\.0 +80\.0 +0\.4$/);
  expect(lines.join(' ')).toContain('the true one lies within the noise to either side');
  expect(describeResult(document).join(' ')).not.toContain('noise');
});

test('[T39] what a person saves of their readings is for their account alone', async () => {
  const document = sampleAverage(samplePod('pods.example.org-anna'), '2026-05-02T10:00:30.000Z');
  const chart = { format: 'png' as const, encoding: 'base64' as const, data: '' };
  const before = process.umask(0);
  await saveChart({ ...document, chart }, folder(), 'chart.png');
  process.umask(before);
  expect((await stat(join(folder(), 'chart.png'))).mode & 0o777).toBe(0o600);
});
