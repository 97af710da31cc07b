import type { BrowserContextOptions } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { samplePicture } from '../support/chart-sample.js';
import { auditPage, focused, overflows } from './support/audit-page.js';
import { chromiumPath, prepareBrowser, type Service, startService } from './support/dashboard.js';
import { podIdOf, sampleRun } from './support/sample-cohort.js';

/** Enough for one Pod of every kind; the audit looks at every cell. */
const podCount = 14;
const runs = Array.from({ length: 6 }, (_, number) => sampleRun(number, podCount));
const [oldest] = runs.map((run) => run.run_id);
const newest = `runs/${runs.at(-1)?.run_id}`;
const pages: [string, string][] = [
  ['', 'The cohort now'],
  [`${newest}/pods`, 'Pods'],
  [`${newest}/pods/localhost%3A3000-alice`, podIdOf('alice')],
  [`${newest}/pods/localhost%3A3000-bob`, podIdOf('bob')],
  ['history', 'History'],
  [`runs/${oldest}`, 'Run of 16 Oct 2026, 09:15:00 UTC'],
  [`runs/${oldest}/pods/nobody`, 'Not there'],
];
const widths = [360, 375, 768, 1280, 1600];

describe.skipIf(chromiumPath === undefined)('the pages for everybody', () => {
  const tests = prepareBrowser();
  let service: Service;

  beforeAll(async () => {
    service = await startService();
    for (const run of runs) await service.results.write(run);
    await service.charts.write(podIdOf('alice'), samplePicture());
  });

  async function open(path: string, options?: BrowserContextOptions) {
    return (await tests.open(`${service.address}/${path}`, options)).page;
  }

  test.each([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
  ] as const)('every page passes the audit (%s)', async (_, options) => {
    const page = await open('', options);
    for (const [path, heading] of pages) {
      await page.goto(`${service.address}/${path}`);
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
      expect(await auditPage(page), path).toEqual([]);
    }
  });

  test('before the first run the pages pass the audit', async () => {
    const { address } = await startService();
    const { page } = await tests.open(address, { colorScheme: 'dark' });
    await page.getByRole('heading', { name: 'No analysis has run yet' }).waitFor();
    expect(await auditPage(page)).toEqual([]);
  });

  test.each(widths)('no page scrolls sideways at %i pixels', async (width) => {
    const page = await open('', { viewport: { width, height: 700 } });
    for (const [path, heading] of pages) {
      await page.goto(`${service.address}/${path}`);
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
      expect(await overflows(page), path).toBe(false);
    }
  });

  test('the keyboard alone reaches everything, and what has the focus can be seen', async () => {
    const page = await open('');
    const { keyboard } = page;
    const tabTo = async (name: string) => {
      const seen: string[] = [];
      do {
        await keyboard.press('Tab');
        seen.push(await focused(page));
        expect(seen.length, `${name} is not among ${seen.join(', ')}`).toBeLessThan(40);
      } while (seen.at(-1) !== name);
      return seen;
    };

    expect(await tabTo('Skip to the content')).toHaveLength(1);
    expect(await page.getByText('Skip to the content').boundingBox()).toMatchObject({ y: 16 });
    await keyboard.press('Enter');
    await page.waitForURL(/#main$/);
    // Beyond the navigation, and with no stop at each dot of the drawings.
    const [first, ...others] = await tabTo('All Pods as a table');
    expect(first).toBe('Run of 21 Oct 2026, 09:15:05 UTC');
    expect(others.length).toBeLessThan(15);
    const outline = 'getComputedStyle(document.activeElement).outlineStyle';
    expect(await page.evaluate(outline)).toBe('solid');
    await keyboard.press('Enter');
    await page.waitForURL(/\/pods$/);

    await tabTo(podIdOf('alice'));
    await keyboard.press('Enter');
    await page.waitForURL(/-alice$/);
  });

  test('a table that is too wide for a phone scrolls on its own, by keyboard too', async () => {
    const page = await open(`${newest}/pods`, {
      viewport: { width: 375, height: 700 },
      hasTouch: true,
      isMobile: true,
    });
    await page.getByRole('region', { name: 'Pods' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => page.evaluate("document.querySelector('.scroll-area').scrollLeft"))
      .toBeGreaterThan(0);
    const name = await page.locator('tbody th').first().boundingBox();
    expect(name?.x).toBeLessThan(40);
  });

  test('printed, it is dark on white and says when it was made, without what only a screen can use', async () => {
    const page = await open(`${newest}/pods`, { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.locator('.eyebrow').innerText()).toMatch(/Made \d+ \w+ \d{4}, .* UTC/);
    expect(await page.locator('tbody tr').count()).toBe(podCount);
    const colours =
      '[getComputedStyle(document.documentElement)].map((s) => [s.color, s.backgroundColor])[0]';
    expect(await page.evaluate(colours)).toEqual(['rgb(21, 33, 44)', 'rgb(255, 255, 255)']);
  });
});
