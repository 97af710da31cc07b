import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleChart } from '../support/chart-sample.js';
import { auditPage, focused, overflows } from './support/audit-page.js';
import {
  chromiumPath,
  prepareDashboardTests,
  type Service,
  startService,
} from './support/dashboard.js';
import { podIdOf, sampleRun } from './support/sample-cohort.js';
import { smallPng } from './support/small-png.js';

/** Enough for one Pod of every kind; the audit looks at every cell. */
const podCount = 14;
const runs = Array.from({ length: 6 }, (_, number) => sampleRun(number, podCount));
const [oldest] = runs.map((run) => run.run_id);
const views: [string, string][] = [
  ['#/', 'The cohort now'],
  ['#/pods?sort=systolic', 'Pods'],
  ['#/pods/localhost%3A3000-alice', podIdOf('alice')],
  ['#/history', 'History'],
  ['#/warnings', 'Warnings'],
  [`#/runs/${oldest}`, 'Run of 16 Oct 2026, 09:15 UTC'],
  ['#/runs/20200101T000000Z', 'Run 20200101T000000Z'],
];
const phone = { viewport: { width: 375, height: 700 }, hasTouch: true, isMobile: true };

describe.skipIf(chromiumPath === undefined)('the dashboard for everybody', () => {
  const tests = prepareDashboardTests();
  let service: Service;

  beforeAll(async () => {
    service = await startService(tests.webDir);
    for (const run of runs) await service.results.write(run);
    await service.charts.write(podIdOf('alice'), smallPng, sampleChart(60));
  });

  afterAll(() => service.remove());

  async function open(hash: string, options?: BrowserContextOptions) {
    return (await tests.open(`${service.address}/${hash}`, options)).page;
  }

  test.each([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
  ] as const)('every view passes the audit (%s)', async (_, options) => {
    const page = await open('#/', options);
    for (const [hash, heading] of views) {
      await page.goto(`${service.address}/${hash}`);
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
      await page.waitForLoadState('networkidle');
      expect(await auditPage(page), hash).toEqual([]);
    }
  });

  test('no view scrolls sideways on a phone', async () => {
    const page = await open('#/', phone);
    for (const [hash, heading] of views) {
      await page.goto(`${service.address}/${hash}`);
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
      await page.waitForLoadState('networkidle');
      expect(await overflows(page), hash).toBe(false);
    }
  });

  test('the empty state and the error state pass the audit', async () => {
    const other = await startService(tests.webDir);
    try {
      const { page } = await tests.open(other.address, { colorScheme: 'dark' });
      await page.getByRole('heading', { name: 'No analysis has run yet' }).waitFor();
      expect(await auditPage(page)).toEqual([]);
      await other.stop();
      await page.evaluate("window.dispatchEvent(new Event('online'))");
      await page.getByRole('heading', { name: 'cannot be loaded' }).waitFor();
      expect(await auditPage(page)).toEqual([]);
    } finally {
      await other.remove();
    }
  });

  test('the keyboard alone reaches everything, and what has the focus can be seen', async () => {
    const page = await open('#/');
    await page.getByText('Pooled over all readings').first().waitFor();
    const { keyboard } = page;

    await keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the content');
    expect(await page.getByText('Skip to the content').boundingBox()).toMatchObject({ y: 16 });
    await keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    expect(page.url()).toMatch(/#\/$/);

    await page.getByRole('link', { name: 'Overview' }).focus();
    await keyboard.press('Tab');
    expect(await focused(page)).toBe('Pods');
    const outline = 'getComputedStyle(document.activeElement).outlineStyle';
    expect(await page.evaluate(outline)).toBe('solid');
    await keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Pods' }).waitFor();
    await expect.poll(() => focused(page)).toBe('Pods');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');

    // From the heading on: the search box, the filter, the table's scroll area, the first column.
    await keyboard.press('Tab');
    await keyboard.type('alice');
    await expect.poll(() => page.locator('.pods-table tbody tr').count()).toBe(1);
    await keyboard.press('Tab');
    await keyboard.press('ArrowRight');
    expect(await page.getByLabel('In the averages').isChecked()).toBe(true);
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.press('Space');
    const first = page.getByRole('columnheader', { name: 'Pod' });
    expect(await first.getAttribute('aria-sort')).toBe('descending');

    await page.goto(`${service.address}/#/warnings`);
    await page.locator('summary').first().focus();
    await keyboard.press('Enter');
    expect(await page.locator('details[open]').count()).toBe(1);
  });

  test('a table that is too wide for a phone scrolls on its own, by keyboard too', async () => {
    const page = await open('#/pods', phone);
    const area = page.getByRole('region', { name: 'Pods' });
    await area.focus();
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => page.evaluate("document.querySelector('.scroll-area').scrollLeft"))
      .toBeGreaterThan(0);
    const name = await page.locator('.pods-table tbody th').first().boundingBox();
    expect(name?.x).toBeLessThan(40);
  });

  test('printed, it is dark on white, without what only a screen can use', async () => {
    const page = await open('#/pods', { colorScheme: 'dark' });
    await page.locator('.pods-table tbody tr').first().waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.getByRole('searchbox').count()).toBe(0);
    expect(await page.locator('.pods-table tbody tr').count()).toBe(podCount);
    const colours =
      '[getComputedStyle(document.documentElement)].map((s) => [s.color, s.backgroundColor])[0]';
    expect(await page.evaluate(colours)).toEqual(['rgb(21, 33, 44)', 'rgb(255, 255, 255)']);
  });
});
