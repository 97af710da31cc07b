import { afterEach, describe, expect, test } from 'vitest';
import { sampleChart, sampleReadings } from '../support/chart-sample.js';
import { auditPage, overflows } from './support/audit-page.js';
import {
  chromiumPath,
  prepareDashboardTests,
  type Service,
  startService,
} from './support/dashboard.js';
import { podIdOf, sampleRun } from './support/sample-cohort.js';
import { smallPng } from './support/small-png.js';

const sizes = [
  { viewport: { width: 390, height: 844 } },
  { viewport: { width: 1440, height: 900 } },
] as const;

describe.skipIf(chromiumPath === undefined)('the chart of a Pod’s readings in a browser', () => {
  let service: Service;
  afterEach(() => service.remove());
  const tests = prepareDashboardTests();

  async function show(chart: ReturnType<typeof sampleChart>, options: object) {
    service = await startService(tests.webDir);
    await service.results.write(sampleRun(0, 3));
    await service.charts.write(podIdOf('alice'), smallPng, chart);
    const address = `${service.address}/#/pods/localhost%3A3000-alice`;
    const { page, complaints } = await tests.open(address, options);
    const group = page.getByRole('group', { name: /^Readings of .*alice over time/ });
    await group.waitFor();
    return { page, complaints, group };
  }

  test.each(sizes)(
    'at $viewport.width pixels it has lines, averages and marks in the theme',
    async (size) => {
      const { page, complaints, group } = await show(sampleChart(6), {
        ...size,
        colorScheme: 'dark',
      });
      const svg = group.getByRole('img');
      // Of 0, 7, 14, 21, 28 and 35 modulo 13, the lowest is 0 and the highest 9; and so on.
      expect(await svg.getAttribute('aria-label')).toBe(
        '6 readings from 1 Jan 2026 to 6 Jan 2026. Systolic between 118 and 127 mm Hg; Diastolic between 75 and 82 mm Hg; Heart rate between 62 and 71 bpm.',
      );
      expect(await group.locator('.line').count()).toBe(3);
      for (const measure of ['systolic', 'diastolic', 'heart_rate']) {
        const marks = await svg.locator(`.mark.${measure}`).getAttribute('d');
        expect(marks?.match(/M/g)).toHaveLength(6);
        expect(await svg.locator(`.dashed.${measure}`).count()).toBe(1);
      }
      expect(await svg.locator('.dotted.systolic, .dotted.diastolic').count()).toBe(2);
      // It was not told.
      expect(await svg.locator('.dotted.heart_rate').count()).toBe(0);
      expect(await group.locator('.legend').innerText()).toContain(
        'Systolic: own average 124.3, cohort 121.5 mm Hg',
      );
      const stroke =
        'getComputedStyle(document.querySelector(".readings-chart .line.systolic")).stroke';
      expect(await page.evaluate(stroke)).toBe('rgb(240, 132, 60)');
      expect(await overflows(page)).toBe(false);
      expect(await auditPage(page)).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );

  test('the pointer reads what is nearest, the arrow keys go from reading to reading', async () => {
    const { page, group } = await show(sampleChart(6), sizes[1]);
    const plot = group.locator('.plot');
    await plot.hover({ position: { x: 100, y: 150 } });
    const tooltip = group.locator('.tooltip');
    expect((await tooltip.innerText()).split(/\s*\n\s*/)).toEqual([
      '1 Jan 2026, 07:30',
      'Systolic',
      '118 mm Hg',
      'Diastolic',
      '75 mm Hg',
      'Heart rate',
      '62 bpm',
    ]);
    await page.mouse.move(0, 0);
    await expect.poll(() => tooltip.count()).toBe(0);

    await group.focus();
    const told = group.getByRole('status');
    await page.keyboard.press('ArrowLeft');
    // The sixth: 35 modulo 13, 25 modulo 9 and 15 modulo 11.
    await expect
      .poll(() => told.innerText())
      .toBe('6 Jan 2026, 07:30, Systolic 127 mm Hg, Diastolic 82 mm Hg, Heart rate 66 bpm');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => told.innerText()).toMatch(/^5 Jan 2026, 07:30, Systolic 120 mm Hg/);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => told.innerText()).toMatch(/^1 Jan 2026/);
  });

  test('what a finger touched stays when it is lifted', async () => {
    const { group } = await show(sampleChart(6), { ...sizes[0], hasTouch: true });
    await group.locator('.plot').tap({ position: { x: 40, y: 100 } });
    await group.locator('.tooltip').getByText('1 Jan 2026, 07:30').waitFor();
    expect(await group.locator('.mark.shown').count()).toBe(3);
  });

  test.each(sizes)('at $viewport.width pixels 3,000 readings are means in a band', async (size) => {
    const { page, group } = await show(sampleChart(3000), size);
    expect(await group.locator('path.band').count()).toBe(3);
    expect(await group.locator('.mark').count()).toBe(0);
    await group.getByText('Lines: rolling mean; bands: lowest to highest reading').waitFor();
    await group.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('PageDown');
    // Whole turns of the sample are in every window: 118 to 130, 75 to 83, 62 to 72.
    await expect
      .poll(() => group.getByRole('status').innerText())
      .toMatch(/^Around .* 2026, Systolic .*, 118 to 130, .* 75 to 83, .* 62 to 72$/);
    expect(await overflows(page)).toBe(false);
  });

  test('readings without a time stand in their order', async () => {
    const readings = sampleReadings(4).map((reading) => ({ ...reading, time: null }));
    const { page, group } = await show(sampleChart(4, { readings }), sizes[0]);
    await group.getByText('Number of the reading').waitFor();
    await group.focus();
    await page.keyboard.press('Home');
    await expect
      .poll(() => group.getByRole('status').innerText())
      .toMatch(/^Reading 1, Systolic 118/);
  });
});
