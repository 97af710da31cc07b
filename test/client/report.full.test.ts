import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { renderReport } from '../../src/client/report.js';
import { sampleAverage } from '../support/published-sample.js';
import { samplePod } from '../support/results-sample.js';
import { chromiumPath, launchChromium } from '../web/support/dashboard.js';

test.skipIf(chromiumPath === undefined)(
  'a report fits a telephone, no column of it is one of letters, and that of a range is four pages of paper',
  async () => {
    const result = sampleAverage(samplePod('pods.example.org-anna'), '2026-05-02T10:00:30.000Z');
    const reading = { time: 0, offset: 0, systolic: 120, diastolic: 80, heart_rate: 60 };
    const notes = 'after a walk, in the right arm, while somebody was talking all the time';
    const stored = [{ url: '', reading, notes, problem: '' }];
    const person = `https://${'a-long-name.'.repeat(5)}example.org/anna/profile/card#me`;
    const browser = await launchChromium();
    try {
      const page = await browser.newPage({ viewport: { width: 360, height: 700 } });
      await page.setContent(renderReport(result, stored, { person }));
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBe(360);
      const cells = await page.locator('td').all();
      for (const cell of cells) expect((await cell.boundingBox())?.width).toBeGreaterThan(25);
      const many = Array.from({ length: 200 }, () => ({ url: '', reading, notes, problem: '' }));
      const range = { from: '1970-01-01', until: null };
      const png = await readFile(new URL('../../docs/images/chart.png', import.meta.url));
      const chart = { format: 'png', encoding: 'base64', data: png.toString('base64') } as const;
      await page.setContent(renderReport({ ...result, chart }, many, { person, range }));
      const pdf = await page.pdf({ preferCSSPageSize: true });
      expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length).toBeLessThanOrEqual(4);
    } finally {
      await browser.close();
    }
  },
);
