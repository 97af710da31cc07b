import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ResultsDocument } from '../../src/documents/results-document.js';
import { markAnalysisStarted } from '../../src/store/state-marker.js';
import { sampleChart } from '../support/chart-sample.js';
import { focused, lookNow } from './support/audit-page.js';
import {
  chromiumPath,
  prepareDashboardTests,
  type Service,
  startService,
} from './support/dashboard.js';
import { podIdOf, sampleRun, webIdOf } from './support/sample-cohort.js';
import { smallPng } from './support/small-png.js';

describe.skipIf(chromiumPath === undefined)('the dashboard in a browser', () => {
  // Before the pages are set up, so that it goes after them.
  let service: Service;
  afterEach(() => service.remove());
  const tests = prepareDashboardTests();

  async function serve(...runs: ResultsDocument[]): Promise<void> {
    service = await startService(tests.webDir);
    for (const run of runs) await service.results.write(run);
  }

  const open = (hash: string, options?: BrowserContextOptions) =>
    tests.open(`${service.address}/${hash}`, options);

  test('the overview shows the figures of the newest run with units and one decimal', async () => {
    const run = sampleRun(3, 2);
    run.cohort = {
      pod_count: 1234,
      included_pod_count: 1230,
      observation_count: 56789,
      average_of_averages: { systolic: 121.4444, diastolic: 79, heart_rate: null },
      pooled_average: { systolic: 122.96, diastolic: 80.04, heart_rate: null },
      spread_of_averages: { systolic: 9.05, diastolic: 0, heart_rate: null },
    };
    const before = sampleRun(2, 2);
    before.cohort.average_of_averages = { systolic: 120.5, diastolic: 80, heart_rate: 70 };
    await serve(before, run);
    const { page, complaints } = await open('');

    await page.getByText('+0.9 since').waitFor();
    const figures = await page.locator('.figures > li').allInnerTexts();
    expect(figures.map((text) => text.split(/\s*\n\s*/))).toEqual([
      [
        'Systolic',
        '121.4 mm Hg',
        '+0.9 since 18 Oct 2026, 09:15 UTC',
        '2 analyses, 2 to 1,230 Pods',
        'Pooled over all readings',
        '123.0 mm Hg',
        'Spread between Pods',
        '± 9.1 mm Hg',
      ],
      [
        'Diastolic',
        '79.0 mm Hg',
        '−1.0 since 18 Oct 2026, 09:15 UTC',
        '2 analyses, 2 to 1,230 Pods',
        'Pooled over all readings',
        '80.0 mm Hg',
        'Spread between Pods',
        '± 0.0 mm Hg',
      ],
      [
        'Heart rate',
        '– bpm',
        '– since 18 Oct 2026, 09:15 UTC',
        '2 analyses, 2 to 1,230 Pods',
        'Pooled over all readings',
        '– bpm',
        'Spread between Pods',
        '± – bpm',
      ],
    ]);
    const counts = await page.locator('.counts').innerText();
    expect(counts).toContain('1,230');
    expect(counts).toContain('4 of 1,234 left out');
    expect(counts).toContain('56,789');
    expect(await page.title()).toBe('The cohort now · Blood pressure cohort');
    expect(await page.getByRole('link', { name: 'Run of 19 Oct 2026, 09:15 UTC' }).count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('warnings are grouped by kind with their number, and open to the warnings themselves', async () => {
    await serve(sampleRun(0, 3));
    const { page } = await open('#/');
    await page.getByRole('navigation').getByRole('link', { name: 'Warnings 6' }).click();
    const groups = page.locator('.warnings summary');
    await groups.first().waitFor();
    expect((await groups.allInnerTexts()).map((text) => text.split(/\s*\n\s*/))).toEqual([
      ['Could not be decrypted (file skipped)', '3'],
      ['No key has been shared for this resource', '2'],
      ['Access was revoked during the run (file skipped)', '1'],
    ]);
    const file = page.getByText('nadia/app/data/blood_pressure/bp_2026-11-01');
    expect(await file.isVisible()).toBe(false);
    await groups.nth(1).click();
    expect(await file.isVisible()).toBe(true);
  });

  test('forty Pods are sorted and filtered, and the link carries it', async () => {
    await serve(sampleRun(0, 40));
    const { page } = await open('#/pods');
    const rows = page.locator('tbody tr');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(40);

    const systolic = page.getByRole('columnheader', { name: /Systolic/ });
    const averages = async () =>
      (await page.locator('tbody td:nth-child(2)').allInnerTexts()).map(Number);
    await systolic.getByRole('button').click();
    expect(await systolic.getAttribute('aria-sort')).toBe('ascending');
    const ascending = await averages();
    expect(ascending).toEqual([...ascending].sort((a, b) => a - b));
    await systolic.getByRole('button').click();
    expect(await systolic.getAttribute('aria-sort')).toBe('descending');
    expect(await averages()).toEqual([...ascending].reverse());

    await page.getByLabel('Left out').check();
    expect(await rows.count()).toBe(3);
    await page.getByRole('searchbox', { name: 'Find a Pod' }).fill('HA');
    expect((await rows.locator('b').allInnerTexts()).sort()).toEqual(['hana', 'hassan']);
    await page.getByText('2 of 40 Pods').waitFor();

    expect(page.url()).toMatch(/#\/pods\?sort=systolic&dir=desc&q=HA&show=left-out$/);
    await page.reload();
    await rows.first().waitFor();
    expect(await rows.count()).toBe(2);
    expect(await systolic.getAttribute('aria-sort')).toBe('descending');
  });

  test('a large cohort is shown a hundred Pods at a time, and its dots stay readable', async () => {
    await serve(sampleRun(0, 1130));
    const { page } = await open('#/pods');
    await page.getByText('100 of 1,130 Pods').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(100);
    await page.getByRole('button', { name: 'Show 100 more' }).click();
    await page.getByText('200 of 1,130 Pods').waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page
      .getByText(/more Pods behind these dots/)
      .first()
      .waitFor();
    expect(await page.locator('.averages-row .dot').count()).toBeLessThan(2500);
  });

  test('a run that found nothing says so instead of showing only dashes', async () => {
    await serve({ ...sampleRun(0, 0), warnings: [] });
    const { page } = await open('#/');
    await page.getByRole('heading', { name: 'This run found no readings' }).waitFor();
    await page.getByRole('link', { name: 'Warnings', exact: true }).click();
    await page.getByText('Nothing was skipped in this run.').waitFor();
    await page.getByRole('link', { name: 'Pods', exact: true }).click();
    await page.getByText('0 Pods').waitFor();
  });

  test('a new run appears by itself, announced, and leaves sorting, filter and focus alone', async () => {
    await serve(sampleRun(0, 40));
    const { page } = await open('#/pods?sort=readings&dir=desc&q=e');
    const link = page.getByRole('link', { name: podIdOf('eve') });
    await link.focus();
    const before = await page.locator('tbody').innerText();

    const next = sampleRun(1, 40);
    await service.results.write(next);
    const marker = await markAnalysisStarted(service.stateDir, new Date());
    await marker.ended({ run_id: next.run_id, status: 'COMPLETED', message: '' }, new Date());
    await lookNow(page);
    await page.getByText('New results: run of 17 Oct 2026, 09:15 UTC.').waitFor();

    expect(await page.locator('tbody').innerText()).not.toBe(before);
    expect(await focused(page)).toBe(podIdOf('eve'));
    expect(await page.getByRole('searchbox').inputValue()).toBe('e');
    expect(page.url()).toContain('?sort=readings&dir=desc&q=e');
  });

  test('one Pod is shown in detail with the chart of this run', async () => {
    await serve(sampleRun(0, 5));
    await service.charts.write(podIdOf('alice'), smallPng, sampleChart(60));
    const { page, complaints } = await open('#/pods');
    await page.getByRole('link', { name: podIdOf('alice') }).click();
    await page.getByRole('heading', { level: 1, name: podIdOf('alice') }).waitFor();
    expect(page.url()).toMatch(/#\/pods\/localhost%3A3000-alice$/);
    await page.getByText(webIdOf('alice'), { exact: true }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(3);

    await page.getByText('Drawn in this run.').waitFor();
    const picture = page.getByRole('img', { name: 'as its owner got it' });
    expect(await picture.count()).toBe(0);
    await page.getByText('The picture as its owner got it').click();
    await picture.waitFor();
    await expect
      .poll(() => page.evaluate("document.querySelector('.pod-chart img').naturalWidth"))
      .toBe(1);
    expect(complaints).toEqual([]);
  });

  test('a chart of an older run says so, a missing one too, and a Pod that is left out says why', async () => {
    await serve(sampleRun(0, 8));
    await service.charts.write(podIdOf('bob'), smallPng, sampleChart(60));
    const bob = await open('#/pods/localhost%3A3000-bob');
    await bob.page.getByText('It was not drawn in this run').waitFor();

    const hassan = await open('#/pods/localhost%3A3000-hassan');
    await hassan.page.getByText('No readings of this Pod are stored to draw').waitFor();
    await hassan.page.getByText('The picture as its owner got it').click();
    await hassan.page.getByText('No chart of this Pod is stored.').waitFor();
    await hassan.page.getByText('Left out: fewer than 5 readings').waitFor();

    const eve = await open('#/pods/localhost%3A3000-eve');
    await eve.page.getByText('1 reading was left out: outside the plausible range.').waitFor();

    const nobody = await open('#/pods/nobody');
    await nobody.page.getByText('This Pod is not in this run').waitFor();
  });

  test('the history fetches thirty runs at most, more when asked, and shows a damaged one as such', async () => {
    const runs = Array.from({ length: 35 }, (_, number) => sampleRun(number, 2));
    await serve(...runs);
    await writeFile(join(service.resultsDir, `run-${runs[33]?.run_id}.json`), '{"schema_ver');
    const { page } = await open('#/');
    const fetched = new Set<string>();
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/runs/')) fetched.add(pathname);
    });
    await page.getByRole('link', { name: 'History' }).click();
    const rows = page.locator('tbody tr');
    await page.getByText('30 of 35 runs').waitFor();
    await page.waitForLoadState('networkidle');
    // Thirty in the table; the trend has thirty that can be read.
    expect(fetched.size).toBe(31);
    expect(await rows.nth(1).innerText()).toContain('damaged');
    expect(await rows.nth(0).locator('td').first().innerText()).toMatch(/^\d+\.\d$/);
    await page.getByText('The newest 30 analyses; 35 runs are stored.').waitFor();
    expect(await page.locator('.trend').first().locator('.dot').count()).toBe(30);
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('34 analyses', { exact: true }).waitFor();
    expect(await page.locator('.trend').first().locator('.dot').count()).toBe(34);

    await page.getByRole('button', { name: 'Show 5 more' }).click();
    await expect.poll(() => rows.count()).toBe(35);

    await page.getByLabel('Up to and including').fill('2026-10-18');
    await expect.poll(() => rows.count()).toBe(3);
    expect(page.url()).toMatch(/#\/history\?until=2026-10-18$/);
  });

  test('callers who shared an analysis are one point in every trend, and two rows in the table', async () => {
    const shared = [sampleRun(2, 3), sampleRun(3, 3), sampleRun(4, 3)];
    for (const run of shared) run.generated_at = sampleRun(2, 3).generated_at;
    await serve(sampleRun(0, 3), sampleRun(1, 3), ...shared);
    const { page } = await open('#/history');
    await page.getByText('3 analyses', { exact: true }).waitFor();
    expect(await page.locator('.trend').first().locator('.dot').count()).toBe(3);
    expect(await page.locator('tbody tr').count()).toBe(5);
    await page.goto(`${service.address}/#/pods/localhost%3A3000-alice`);
    await page.getByText('3 analyses', { exact: true }).waitFor();
    await page.goto(`${service.address}/#/`);
    await page.getByText('3 analyses, 3 Pods').first().waitFor();
  });

  test('a Pod is shown over the stored runs beside the cohort, run by run with the arrow keys', async () => {
    const runs = [sampleRun(0, 3), sampleRun(1, 3), sampleRun(2, 3)];
    for (const [index, run] of runs.entries()) {
      const [alice] = run.pods;
      if (alice !== undefined) alice.measures.systolic.average = 120 + index;
      run.cohort.average_of_averages.systolic = 130 + index;
    }
    // Alice had shared nothing yet.
    runs[0]?.pods.shift();
    await serve(...runs);
    const { page } = await open('#/pods/localhost%3A3000-alice');
    const trend = page.getByRole('group', { name: 'Averages over time' });
    const systolic = trend.locator('.trend').first();
    await page.getByText('3 analyses', { exact: true }).waitFor();
    expect(await systolic.locator('.dot').count()).toBe(2);
    expect(await systolic.innerText()).toContain('122.0 mm Hg ± 4.2 · cohort 132.0 · 18 Oct 2026');
    await trend.focus();
    await page.keyboard.press('ArrowLeft');
    await systolic.getByText('121.0 mm Hg').waitFor();
    expect(await trend.getByRole('status').innerText()).toContain(
      '17 Oct 2026, 09:15 UTC, Systolic 121.0 mm Hg',
    );
    await systolic
      .locator('svg')
      .last()
      .hover({ position: { x: 1150, y: 60 } });
    await systolic.getByText('122.0 mm Hg').waitFor();
  });

  test('a dot that is pointed at or reached by keyboard lights up in all strips, and opens its Pod', async () => {
    await serve(sampleRun(0, 6));
    const { page } = await open('#/');
    const rows = page.locator('.averages-row');
    const name = page.locator('.lit-pod strong');
    // What loads meanwhile moves the strips: until the pointer met the dot where it is now.
    const point = async () => {
      const dot = await rows.first().locator('circle').nth(2).boundingBox();
      if (dot === null) throw new Error('There is a dot.');
      await page.mouse.move(dot.x + 4, dot.y + 4);
      await name.waitFor({ timeout: 500 });
    };
    await vi.waitFor(point, { timeout: 9000 });
    expect(await page.locator('.cursor.lit').count()).toBe(3);
    const pointed = await name.innerText();
    for (const index of [0, 1, 2]) {
      expect(await rows.nth(index).locator('.readout').innerText()).toContain(pointed);
    }
    await page.mouse.down();
    await page.mouse.up();
    await page.getByRole('heading', { level: 1, name: podIdOf(pointed) }).waitFor();

    await page.goto(`${service.address}/#/`);
    await page.mouse.move(0, 0);
    // The first in each strip is its lowest.
    const lowest = rows.first().getByRole('link');
    await lowest.focus();
    const averages = async () => Number(await rows.first().locator('.readout strong').innerText());
    const start = await averages();
    await page.keyboard.press('ArrowRight');
    await expect.poll(averages).toBeGreaterThan(start);
    await page.keyboard.press('End');
    const chosen = await name.innerText();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: podIdOf(chosen) }).waitFor();
  });

  test('Pods, runs and trend can be had as CSV with every digit, and names that are no formulas', async () => {
    const run = sampleRun(1, 3);
    const [, bob] = run.pods;
    if (bob !== undefined) bob.pod_id = '=HYPERLINK("http://x","y")';
    await serve(sampleRun(0, 3), run);
    const { page } = await open('#/pods');
    const csv = async (button: string) => {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: button }).click();
      return (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
    };
    const pods = await csv('CSV of 3 Pods');
    expect(pods.length).toBe(4);
    expect(pods[0]).toMatch(/^pod_id,web_id,included_in_cohort,observation_count,/);
    expect(pods.join('\n')).toContain(`"'=HYPERLINK(""http://x"",""y"")"`);
    expect(pods.join('\n')).toContain(String(run.pods[0]?.measures.systolic.average));

    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText('2 analyses', { exact: true }).waitFor();
    for (const button of ['CSV of this trend', 'CSV of these 2 runs']) {
      const runs = await csv(button);
      expect(runs.length).toBe(3);
      expect(runs[0]).toMatch(/^run_id,generated_at,pod_count,/);
      expect(runs.join('\n')).toContain(String(run.cohort.average_of_averages.systolic));
    }
  });

  test('a measure that nobody has draws no axis', async () => {
    const runs = [sampleRun(0, 2), sampleRun(1, 2)];
    for (const run of runs) {
      run.cohort.average_of_averages.heart_rate = null;
      for (const { measures } of run.pods) {
        measures.heart_rate = {
          average: null,
          minimum: null,
          maximum: null,
          standard_deviation: null,
          count: 0,
        };
      }
    }
    await serve(...runs);
    const { page } = await open('#/');
    await page.getByText('No Pod has an average of this measure.').waitFor();
    expect(await page.locator('.averages-row.heart_rate svg:not(.swatch)').count()).toBe(0);
    await page.goto(`${service.address}/#/history`);
    await page.getByText('No analysis has an average of this measure.').waitFor();
    expect(await page.locator('.trend.heart_rate svg:not(.swatch)').count()).toBe(0);
  });

  test('the whole dashboard weighs less than 250 kB', async () => {
    await serve(sampleRun(0, 2));
    const files = await readdir(tests.webDir, { recursive: true, withFileTypes: true });
    const sizes = await Promise.all(
      files
        .filter((file) => file.isFile() && !file.parentPath.endsWith('licences'))
        .map(async (file) => (await stat(join(file.parentPath, file.name))).size),
    );
    expect(sizes.length).toBeGreaterThan(3);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
  });

  test('the documentation of the API follows the theme and fits a phone', async () => {
    await serve();
    const ground = async (colorScheme: 'light' | 'dark') => {
      const { page } = await tests.open(`${service.address}/docs`, { colorScheme });
      await page.getByText('/api/summary').first().waitFor();
      return page.evaluate("document.documentElement.classList.contains('dark-mode')");
    };
    expect(await ground('light')).toBe(false);
    expect(await ground('dark')).toBe(true);
    const phone = { viewport: { width: 390, height: 844 }, isMobile: true };
    const { page } = await tests.open(`${service.address}/docs`, phone);
    await page.getByText('/api/summary').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  test('any stored run can be looked at, and its Pods in it', async () => {
    const old = sampleRun(0, 3);
    await serve(old, sampleRun(1, 3));
    const { page } = await open(`#/runs/${old.run_id}`);
    await page.getByRole('heading', { name: 'Run of 16 Oct 2026, 09:15 UTC' }).waitFor();
    await page.getByText(webIdOf('alice'), { exact: true }).waitFor();
    await page.getByRole('link', { name: podIdOf('bob') }).click();
    await page.getByRole('heading', { level: 1, name: podIdOf('bob') }).waitFor();
    expect(page.url()).toMatch(/#\/runs\/20261016T091500Z\/pods\/localhost%3A3000-bob$/);
  });

  test('a run that is damaged, unknown or an odd link says so, and a repaired one is shown', async () => {
    const [run, newest] = [sampleRun(0, 2), sampleRun(1, 2)];
    await serve(run, newest);
    const path = join(service.resultsDir, `run-${run.run_id}.json`);
    await writeFile(path, 'half');
    const { page } = await open(`#/runs/${run.run_id}`);
    await page.getByText('This run cannot be shown').waitFor();
    await page.locator('main').getByText('The HTTP API answered 500: ').waitFor();
    await writeFile(path, JSON.stringify(run));
    await lookNow(page);
    await page.getByText('Pooled over all readings').first().waitFor();

    const unknown = await open('#/runs/20200101T000000Z');
    await unknown.page.getByText('This run is not stored').waitFor();
    const odd = await open('#/%E0%A4%A/x');
    await odd.page.getByText('This link leads nowhere').waitFor();
  });

  test('before the first run it says what to do, and shows the first run as it lands', async () => {
    await serve();
    const { page } = await open('');
    await page.getByRole('heading', { name: 'No analysis has run yet' }).waitFor();
    expect(await page.locator('main').innerText()).toContain('./run.sh run-once');
    expect(await page.getByText('cannot be loaded').count()).toBe(0);

    await service.results.write(sampleRun(0, 2));
    await lookNow(page);
    await page.getByText('Pooled over all readings').first().waitFor();
    expect(await page.getByText('No analysis has run yet').count()).toBe(0);
  });

  test('while the API is away it says so, keeps the figures, and recovers', async () => {
    await serve(sampleRun(0, 2));
    const { page } = await open('');
    await page.getByText('Pooled over all readings').first().waitFor();
    await service.stop();
    await lookNow(page);
    const notice = page.getByRole('heading', { name: 'The newest results cannot be loaded' });
    await notice.waitFor();
    await page.getByText('Not reachable').waitFor();
    expect(await page.getByText('Pooled over all readings').count()).toBe(3);

    await service.restart();
    await lookNow(page);
    await notice.waitFor({ state: 'detached' });
    await page.getByText('Idle').waitFor();
  });

  test.each([
    ['the overview', '#/'],
    ['the history', '#/history'],
    ['a run', '#/runs/20261016T091500Z'],
  ])(
    'an API that was away from the start is told on %s, which does not go on loading',
    async (_, hash) => {
      await serve(sampleRun(0, 2));
      const { page } = await tests.open(`${service.address}/health`);
      // The page itself comes, and nothing after it.
      await page.route(/\/api\//, (route) => route.abort());
      await page.goto(`${service.address}/${hash}`);
      await page.getByRole('heading', { name: 'The newest results cannot be loaded' }).waitFor();
      expect(await page.getByText('Loading').count()).toBe(0);
      await page.unroute(/\/api\//);
      await lookNow(page);
      await page
        .getByText('Pooled over all readings')
        .or(page.getByText('1 run stored'))
        .first()
        .waitFor();
    },
  );

  test('an analysis that failed is told above every page, until one succeeds', async () => {
    const old = sampleRun(0, 2);
    await serve(old);
    const failed = await markAnalysisStarted(service.stateDir, new Date('2026-10-17T08:00:00Z'));
    const message = 'The storage server could not be reached.';
    await failed.ended(
      { run_id: null, status: 'FAILED', message },
      new Date('2026-10-17T08:01:00Z'),
    );
    const { page } = await open('#/');
    const { run_id } = old;
    for (const hash of [
      '#/',
      '#/pods',
      '#/pods/localhost%3A3000-alice',
      '#/history',
      '#/warnings',
      `#/runs/${run_id}`,
      '#/nowhere',
    ]) {
      await page.goto(`${service.address}/${hash}`);
      const attention = page.getByRole('region', { name: 'Attention' });
      await attention.getByRole('heading', { name: 'The last analysis failed' }).waitFor();
      expect(await attention.innerText(), hash).toContain(
        `17 Oct 2026, 08:01 UTC: ${message} What is shown is the run of 16 Oct 2026, 09:15 UTC.`,
      );
    }
    await page.getByText('Last run failed').waitFor();

    const next = sampleRun(2, 2);
    await service.results.write(next);
    const done = await markAnalysisStarted(service.stateDir, new Date());
    await done.ended({ run_id: next.run_id, status: 'COMPLETED', message: '' }, new Date());
    await lookNow(page);
    await page
      .getByRole('heading', { name: 'The last analysis failed' })
      .waitFor({ state: 'detached' });
  });

  test('results that are old, or not those of the last analysis, are told', async () => {
    const old = sampleRun(0, 2);
    await serve(old);
    const { page } = await open('#/pods');
    const attention = page.getByRole('region', { name: 'Attention' });
    await attention.getByText(/These results are \d+ days old/).waitFor();
    expect(await attention.innerText()).toContain('since 16 Oct 2026, 09:15 UTC');

    const { run_id } = sampleRun(3, 2);
    const elsewhere = await markAnalysisStarted(service.stateDir, new Date());
    await elsewhere.ended({ run_id, status: 'COMPLETED', message: '' }, new Date());
    await lookNow(page);
    await attention.getByText('The results of the last analysis are not here').waitFor();

    const now = sampleRun(3, 2);
    now.generated_at = new Date().toISOString();
    await service.results.write(now);
    await lookNow(page);
    // Nothing announced these results, so they are found when it is time to look again.
    await page.reload();
    await page.getByText('2 Pods', { exact: true }).waitFor();
    expect(await attention.count()).toBe(0);
  });

  test('a delivery that failed is told, also when it was to another caller of the same analysis', async () => {
    const [first, second] = [sampleRun(0, 2), sampleRun(1, 2)];
    second.generated_at = first.generated_at;
    const [delivery] = first.sharing.published;
    if (delivery === undefined) throw new Error('The sample has a delivery.');
    delivery.failures = { [webIdOf('alice')]: 'did not receive the key' };
    await serve(first, second);
    const { page } = await open('#/pods');
    const attention = page.getByRole('region', { name: 'Attention' });
    await attention.getByRole('heading', { name: '1 delivery failed' }).waitFor();

    await service.results.write(sampleRun(2, 2));
    await page.reload();
    await page.getByText('2 Pods', { exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await attention.getByText('delivery').count()).toBe(0);
  });

  test.each([
    ['damaged', 'half a fi', 'The HTTP API answered 500: '],
    ['of a newer release', '{"schema_version": 2}', 'The HTTP API answered 503: '],
  ])('newest results that are %s are a problem, not an empty cohort', async (_, text, sentence) => {
    await serve();
    await writeFile(join(service.resultsDir, 'latest.json'), text);
    const { page } = await open('');
    await page.locator('main').getByText(sentence).waitFor();
    expect(await page.getByText('No analysis has run yet').count()).toBe(0);
    await service.results.write(sampleRun(0, 2));
    await lookNow(page);
    await page.getByText('Pooled over all readings').first().waitFor();
  });

  test('the state of the service is shown: running, how the last run ended, left behind', async () => {
    await serve(sampleRun(0, 2));
    const first = await markAnalysisStarted(service.stateDir, new Date('2026-11-19T08:00:00Z'));
    await first.cancelled(new Date('2026-11-19T08:00:05Z'));
    const second = await markAnalysisStarted(service.stateDir, new Date('2026-11-19T09:00:00Z'));
    await second.ended(
      { run_id: null, status: 'FAILED', message: 'The storage server could not be reached.' },
      new Date('2026-11-19T09:01:00Z'),
    );
    await markAnalysisStarted(service.stateDir, new Date());
    const { page } = await open('');
    await page.getByText('Analysis running').waitFor();
    const facts = await page.locator('.facts').innerText();
    expect(facts).toContain('An analysis is running since');
    expect(facts).toContain('Failed, 19 Nov 2026, 09:01 UTC');
    expect(facts).toContain('The storage server could not be reached.');
    expect(facts).toContain('19 Nov 2026, 08:00 UTC');

    await markAnalysisStarted(service.stateDir, new Date(Date.now() - 3_600_000));
    await lookNow(page);
    await page.getByRole('heading', { name: 'An analysis has not reported its end' }).waitFor();
  });

  test('it asks every five seconds, and not at all while nobody looks', async () => {
    await serve(sampleRun(0, 2));
    const context = await tests.browser.newContext();
    const page = await context.newPage();
    await page.clock.install();
    let polls = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/status')) polls++;
    });
    await page.goto(service.address);
    await page.getByText('Pooled over all readings').first().waitFor();
    expect(polls).toBe(1);
    const answered = page.waitForResponse(/api\/status/);
    await page.clock.runFor(5_000);
    await answered;
    expect(polls).toBe(2);

    await page.evaluate(
      "Object.defineProperty(document, 'hidden', { value: true, writable: true })",
    );
    await page.clock.runFor(5_000);
    await page.waitForLoadState('networkidle');
    const atRest = polls;
    await page.clock.runFor(120_000);
    expect(polls).toBe(atRest);
    const woken = page.waitForResponse(/api\/status/);
    await page.evaluate(
      "document.hidden = false; document.dispatchEvent(new Event('visibilitychange'))",
    );
    await woken;
    await context.close();
  });

  test('text from Pods is text, whatever it looks like', async () => {
    const run = sampleRun(0, 1);
    const hostile = '<img src=x onerror=alert(1)>';
    const [pod] = run.pods;
    if (pod === undefined) throw new Error('The sample has a Pod.');
    Object.assign(pod, { pod_id: hostile, web_id: hostile, notes: [hostile] });
    run.warnings = [hostile];
    await serve(run);
    const { page, complaints } = await open(`#/pods/${encodeURIComponent(hostile)}`);
    await page.getByRole('heading', { level: 1, name: hostile }).waitFor();
    expect(await page.locator('img[src=x]').count()).toBe(0);
    // The picture that is not there is a 404; nothing else went wrong.
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
  });
});
