import { expect, test } from 'vitest';
import { sampleAverage } from '../../../test/support/published-sample.js';
import { samplePod } from '../../../test/support/results-sample.js';
import { describeResult } from './own-result.js';

test('noise in the cohort average stands below it, and is explained', () => {
  const document = sampleAverage(samplePod('pods.example.org-anna'), '2026-05-02T10:00:30.000Z');
  const noise = { systolic: 120, diastolic: 80, heart_rate: 0.4 };
  const lines = describeResult({ ...document, cohort_noise: noise });
  const at = lines.findIndex((line) => line.startsWith('cohort average'));
  expect(lines[at + 1]).toMatch(/^noise up to ± +120\.0 +80\.0 +0\.4$/);
  expect(lines.join(' ')).toContain('the true one lies within the noise to either side');
  expect(describeResult(document).join(' ')).not.toContain('noise');
});
