import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderReport } from '../../src/client/report.js';
import { chromiumPath, launchChromium } from '../web/support/dashboard.js';
import { smallPng } from '../web/support/small-png.js';

const figures = { systolic: 128.25, diastolic: 82, heart_rate: 64 };
const measure = { average: 1, minimum: 1, maximum: 1, standard_deviation: 0, count: 1 };
const hostile =
  '<script>document.title = "taken"</script><img src="http://127.0.0.1:9/pixel.png" onerror="document.title=1">';

const report = renderReport(
  {
    schema_version: 1,
    kind: 'pod-average',
    generated_at: '2026-05-02T10:00:30.000+00:00',
    analyser_web_id: 'https://pods.example/analyser/profile/card#me',
    units: { systolic: 'mm Hg', diastolic: 'mm Hg', heart_rate: 'bpm' },
    average: figures,
    pod: {
      observation_count: 40,
      measures: { systolic: measure, diastolic: measure, heart_rate: measure },
      files_read: 40,
      files_skipped: 0,
      notes: [hostile],
    },
    cohort: { pod_count: 12, average_of_averages: figures, pooled_average: figures },
    chart: { format: 'png', encoding: 'base64', data: smallPng.toString('base64') },
  },
  Array.from({ length: 30 }, (_, index) => ({
    url: `https://pods.example/${index}`,
    reading: { time: Date.UTC(2026, 2, index, 7), offset: 'unknown' as const, ...figures },
    notes: hostile,
    problem: '',
  })),
  { person: hostile },
);

describe.skipIf(chromiumPath === undefined)('a report in a browser', () => {
  let folder: string;
  let browser: Browser;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bp-report-'));
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await rm(folder, { recursive: true });
  });

  test('shows its picture, asks for nothing, runs nothing, and prints on A4', async () => {
    const path = join(folder, 'report.html');
    await writeFile(path, report);
    const page = await browser.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(pathToFileURL(path).href, { waitUntil: 'networkidle' });
    const pictures = await page
      .locator('img')
      .evaluateAll((all) => all.map((one) => one instanceof HTMLImageElement && one.naturalWidth));
    expect(pictures).toEqual([1]);
    expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([pathToFileURL(path).href]);
    expect(await page.title()).toBe(`Blood pressure of ${hostile}`);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    // A4 in points, as the page itself says.
    expect(pdf).toMatch(/\/MediaBox \[0 0 59[45][.\d]* 84[12][.\d]*\]/);
  });
});
