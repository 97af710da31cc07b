import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { acquireLock } from '../../src/store/folder-lock.js';
import { markAnalysisStarted } from '../../src/store/state-marker.js';
import { sampleChart } from '../support/chart-sample.js';
import { focused, lookNow } from './support/audit-page.js';
import { chromiumPath, prepareServedDashboardTests } from './support/dashboard.js';
import { podIdOf, sampleRun, webIdOf } from './support/sample-cohort.js';
import { smallPng } from './support/small-png.js';

describe.skipIf(chromiumPath === undefined)(
  'the dashboard in a browser, in states that are seldom',
  () => {
    const dashboard = prepareServedDashboardTests();
    const { serve, open, tests } = dashboard;

    test('a large cohort is shown a hundred Pods at a time, and its dots stay readable', async () => {
      await serve(sampleRun(0, 1130));
      const { page } = await open('#/pods');
      await page.getByText('100 of 1,130 Pods').waitFor();
      expect(await page.locator('.pods-table tbody tr').count()).toBe(100);
      await page.getByRole('button', { name: 'Show 100 more' }).click();
      await page.getByText('200 of 1,130 Pods').waitFor();
      await page.getByRole('link', { name: 'Overview' }).click();
      await page
        .getByText(/more Pods behind these dots/)
        .first()
        .waitFor();
      expect(await page.locator('.averages-row .dot').count()).toBeLessThan(2500);
    });

    test('a chart of an older run says so, a missing one too, and a Pod that is left out says why', async () => {
      await serve(sampleRun(0, 8));
      await dashboard.service.charts.write(podIdOf('bob'), smallPng, sampleChart(60));
      const bob = await open('#/pods/localhost%3A3000-bob');
      await bob.page.getByText('It was not drawn in this run').waitFor();

      const hassan = await open('#/pods/localhost%3A3000-hassan');
      await hassan.page.getByText('No chart of this Pod is stored.').waitFor();
      expect(await hassan.page.getByText('The picture as its owner got it').count()).toBe(0);
      expect(hassan.complaints).toEqual([]);
      await hassan.page.getByText('Left out: fewer than 5 readings').waitFor();

      const eve = await open('#/pods/localhost%3A3000-eve');
      await eve.page.getByText('1 reading was left out: outside the plausible range.').waitFor();

      const nobody = await open('#/pods/nobody');
      await nobody.page.getByText('This Pod is not in this run').waitFor();
    });

    test('the history shows thirty days, more when asked, in a few requests, and a run that is damaged all the same', async () => {
      const runs = Array.from({ length: 35 }, (_, number) => sampleRun(number, 2));
      await serve(...runs);
      await writeFile(
        join(dashboard.service.resultsDir, `run-${runs[33]?.run_id}.json`),
        '{"schema_ver',
      );
      const { page } = await open('health');
      const fetched: string[] = [];
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url());
        if (pathname === '/api/analyses') fetched.push(pathname + search);
      });
      await page.goto(`${dashboard.service.address}/#/`);
      await page.getByRole('link', { name: 'History' }).click();
      const rows = page.locator('tbody tr');
      await page.getByText('30 analyses', { exact: true }).waitFor();
      await expect.poll(() => rows.count()).toBe(30);
      await page.waitForLoadState('networkidle');
      expect(fetched).toEqual([
        '/api/analyses?limit=30',
        '/api/analyses?from=2026-10-21&to=2026-11-19&limit=1000',
      ]);
      expect(await rows.nth(1).locator('td').first().innerText()).toMatch(/^\d+\.\d$/);
      expect(await page.locator('.trend').first().locator('.dot').count()).toBe(30);
      await page.getByLabel('7 days').check();
      await page.getByText('7 analyses', { exact: true }).waitFor();
      await expect.poll(() => rows.count()).toBe(7);
      await page.getByLabel('All').check();
      await page.getByText('35 analyses', { exact: true }).waitFor();
      expect(await page.locator('.trend').first().locator('.dot').count()).toBe(35);
      expect(page.url()).toMatch(/#\/history\?days=all$/);
      await page.getByRole('button', { name: 'Show 5 more' }).click();
      await expect.poll(() => rows.count()).toBe(35);

      await page.getByLabel('To and including').fill('2026-10-18');
      await expect.poll(() => rows.count()).toBe(3);
      await page.getByLabel('From (UTC)').fill('2026-10-17');
      await expect.poll(() => rows.count()).toBe(2);
      expect(page.url()).toMatch(/#\/history\?from=2026-10-17&to=2026-10-18$/);
    });

    test('callers who shared an analysis are one point in every trend, and one row with a run for each', async () => {
      const shared = [sampleRun(2, 3), sampleRun(3, 3), sampleRun(4, 3)];
      for (const run of shared) run.generated_at = sampleRun(2, 3).generated_at;
      await serve(sampleRun(0, 3), sampleRun(1, 3), ...shared);
      const { page } = await open('#/history');
      await page.getByText('3 analyses', { exact: true }).waitFor();
      expect(await page.locator('.trend').first().locator('.dot').count()).toBe(3);
      expect(await page.locator('tbody tr').count()).toBe(3);
      await page.getByText('3 runs').click();
      const links = page.locator('tbody details').getByRole('link');
      expect(await links.allInnerTexts()).toEqual(shared.map(({ run_id }) => run_id).reverse());
      await page.goto(`${dashboard.service.address}/#/pods/localhost%3A3000-alice`);
      await page.getByText('3 analyses', { exact: true }).waitFor();
      await page.goto(`${dashboard.service.address}/#/`);
      await page.getByText('3 analyses, 3 Pods').first().waitFor();
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
      expect(pods[0]).toMatch(
        /^run_id,generated_at,pod_id,web_id,included_in_cohort,observation_count,.*,home_systolic_average,/,
      );
      expect(pods[1]).toMatch(new RegExp(`^${run.run_id},`));
      // What the table shows of Alice, who asked.
      const asked = pods.find((line) => line.includes(podIdOf('alice')));
      expect(asked).toMatch(/,127\.25,81\.5,66,2026-11-14,2026-11-19,6,14,{7}$/);
      // Bob has no home average, only a recent one.
      const recent = pods.find((line) => line.includes('=HYPERLINK'));
      expect(recent).toMatch(/,{7}127\.25,81\.5,66,2026-10-30,2026-11-19,6,6$/);
      expect(pods.join('\n')).toContain(`"'=HYPERLINK(""http://x"",""y"")"`);
      expect(pods.join('\n')).toContain(String(run.pods[0]?.measures.systolic.average));

      await page.getByRole('link', { name: 'History' }).click();
      await page.getByText('2 analyses', { exact: true }).waitFor();
      const analyses = await csv('CSV of these 2 analyses');
      expect(analyses.length).toBe(3);
      expect(analyses[0]).toMatch(/^run_id,generated_at,pod_count,/);
      expect(analyses.join('\n')).toContain(String(run.cohort.average_of_averages.systolic));
    });

    test('the documentation of the API leads back to the dashboard', async () => {
      await serve(sampleRun(0, 2));
      for (const address of ['docs', 'docs/']) {
        const { page, complaints } = await open(address);
        await page.getByText('/api/summary').first().waitFor();
        // Swagger UI opens links in a tab of their own.
        const [tab] = await Promise.all([
          page.waitForEvent('popup'),
          page.getByRole('link', { name: 'Back to the dashboard' }).click(),
        ]);
        await tab.getByRole('heading', { level: 1, name: 'The cohort now' }).waitFor();
        expect(complaints).toEqual([]);
      }
    });

    test('any stored run can be looked at, and its Pods in it', async () => {
      const old = sampleRun(0, 3);
      await serve(old, sampleRun(1, 3));
      const { page } = await open(`#/runs/${old.run_id}`);
      await page.getByRole('heading', { name: 'Run of 16 Oct 2026, 09:15 UTC' }).waitFor();
      await page.getByText(webIdOf('alice'), { exact: true }).waitFor();
      await page.getByRole('link', { name: 'bob' }).click();
      await page.getByRole('heading', { level: 1, name: podIdOf('bob') }).waitFor();
      expect(page.url()).toMatch(/#\/runs\/20261016T091500Z\/pods\/localhost%3A3000-bob$/);
    });

    test('a run that is damaged, unknown or an odd link says so, and a repaired one is shown', async () => {
      const [run, newest] = [sampleRun(0, 2), sampleRun(1, 2)];
      await serve(run, newest);
      const path = join(dashboard.service.resultsDir, `run-${run.run_id}.json`);
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

    test('while the API is away it says so, keeps the figures, and recovers', async () => {
      await serve(sampleRun(0, 2));
      const { page } = await open('');
      await page.getByText('Pooled over all readings').first().waitFor();
      await dashboard.service.stop();
      await lookNow(page);
      const notice = page.getByRole('heading', { name: 'The newest results cannot be loaded' });
      await notice.waitFor();
      await page.getByText('Not reachable').waitFor();
      expect(await page.getByText('Pooled over all readings').count()).toBe(3);

      await dashboard.service.restart();
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
        const { page } = await tests.open(`${dashboard.service.address}/health`);
        // The page itself comes, and nothing after it.
        await page.route(/\/api\//, (route) => route.abort());
        await page.goto(`${dashboard.service.address}/${hash}`);
        await page.getByRole('heading', { name: 'The newest results cannot be loaded' }).waitFor();
        expect(await page.getByText('Loading').count()).toBe(0);
        await page.unroute(/\/api\//);
        await lookNow(page);
        await page
          .getByText('Pooled over all readings')
          .or(page.getByText('1 analysis in these days'))
          .first()
          .waitFor();
      },
    );

    test('results that are old, or not those of the last analysis, are told', async () => {
      const old = sampleRun(0, 2);
      await serve(old);
      const { page } = await open('#/pods');
      const attention = page.getByRole('region', { name: 'Attention' });
      await attention.getByText(/These results are \d+ days old/).waitFor();
      expect(await attention.innerText()).toContain('since 16 Oct 2026, 09:15 UTC');

      const { run_id } = sampleRun(3, 2);
      const elsewhere = await markAnalysisStarted(dashboard.service.stateDir, new Date(), 1);
      await elsewhere.ended({ run_id, status: 'COMPLETED', message: '' }, new Date());
      await lookNow(page);
      await attention.getByText('The results of the last analysis are not here').waitFor();

      const now = sampleRun(3, 2);
      now.generated_at = new Date().toISOString();
      await dashboard.service.results.write(now);
      await lookNow(page);
      // Nothing announced these results, so they are found when it is time to look again.
      await page.reload();
      await page.getByText('2 Pods, all on localhost:3000').waitFor();
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
      const link = attention.getByRole('link', { name: 'Which, and why' });
      const follow = async () => {
        await link.click();
        await expect
          .poll(() => focused(page))
          .toMatch(/^1 delivery failed:.*did not receive the key$/);
        expect(page.url()).toMatch(new RegExp(`#/runs/${first.run_id}$`));
      };
      await follow();
      // Also when its page is open already.
      await page.getByRole('heading', { level: 1 }).focus();
      await follow();

      await dashboard.service.results.write(sampleRun(2, 2));
      await page.reload();
      await page.getByText('2 Pods, all on localhost:3000').waitFor();
      await page.waitForLoadState('networkidle');
      expect(await attention.getByText('delivery').count()).toBe(0);
    });

    test.each([
      ['damaged', 'half a fi', 'The HTTP API answered 500: '],
      ['of a newer release', '{"schema_version": 2}', 'The HTTP API answered 503: '],
    ])(
      'newest results that are %s are a problem, not an empty cohort',
      async (_, text, sentence) => {
        await serve();
        await writeFile(join(dashboard.service.resultsDir, 'latest.json'), text);
        const { page } = await open('');
        await page.locator('main').getByText(sentence).waitFor();
        expect(await page.getByText('No analysis has run yet').count()).toBe(0);
        await dashboard.service.results.write(sampleRun(0, 2));
        await lookNow(page);
        await page.getByText('Pooled over all readings').first().waitFor();
      },
    );

    test('the state of the service is shown: running, how the last run ended, left behind', async () => {
      await serve(sampleRun(0, 2));
      const first = await markAnalysisStarted(
        dashboard.service.stateDir,
        new Date('2026-11-19T08:00:00Z'),
        1,
      );
      await first.cancelled(new Date('2026-11-19T08:00:05Z'));
      const second = await markAnalysisStarted(
        dashboard.service.stateDir,
        new Date('2026-11-19T09:00:00Z'),
        1,
      );
      await second.ended(
        { run_id: null, status: 'FAILED', message: 'The storage server could not be reached.' },
        new Date('2026-11-19T09:01:00Z'),
      );
      const lock = await acquireLock(dashboard.service.stateDir, 'analysis');
      const longAgo = new Date(Date.now() - 3_600_000);
      const third = await markAnalysisStarted(dashboard.service.stateDir, longAgo, 2);
      await third.read({ read: 40, all: 312 });
      const { page } = await open('');
      const state = page.locator('.state');
      await expect
        .poll(() => state.innerText())
        .toMatch(/^Analysis running · 1 h 0 min · read 40 of 312 files · 2 callers$/);
      const facts = await page.locator('.facts').innerText();
      expect(facts).toContain('An analysis is running since');
      expect(facts).toContain('read 40 of 312 files · 2 callers');
      expect(facts).toContain('Failed, 19 Nov 2026, 09:01 UTC');
      expect(facts).toContain('The storage server could not be reached.');
      expect(facts).toContain('19 Nov 2026, 08:00 UTC');

      // Its process is killed.
      for (const name of await readdir(dashboard.service.stateDir)) {
        await utimes(join(dashboard.service.stateDir, name), longAgo, longAgo);
      }
      await lookNow(page);
      await page.getByRole('heading', { name: 'An analysis has not reported its end' }).waitFor();
      expect(await state.innerText()).toBe('Last run failed');
      await lock.unlock();
    });

    test('a service that is not heard of is told above every page, one that was stopped is not', async () => {
      const now = sampleRun(0, 2);
      now.generated_at = new Date().toISOString();
      await serve(now);
      const service = await acquireLock(dashboard.service.stateDir, 'service');
      const { page } = await open('#/');
      const state = page.locator('.state');
      await expect.poll(() => state.innerText()).toBe('Idle');
      await service.unlock();
      await lookNow(page);
      await expect.poll(() => state.innerText()).toMatch(/^Stopped at /);
      const attention = page.getByRole('region', { name: 'Attention' });
      expect(await attention.count()).toBe(0);

      const killed = new Date('2026-11-19T09:15:00Z');
      await acquireLock(dashboard.service.stateDir, 'service', { beatMs: 1_000_000 });
      for (const name of await readdir(dashboard.service.stateDir)) {
        await utimes(join(dashboard.service.stateDir, name), killed, killed);
      }
      await lookNow(page);
      await expect.poll(() => state.innerText()).toBe('Not heard of since 19 Nov 2026, 09:15 UTC');
      for (const hash of ['#/', '#/pods', '#/history']) {
        await page.goto(`${dashboard.service.address}/${hash}`);
        await attention.getByText('The analyser has not been heard of since 19 Nov 2026').waitFor();
      }
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
      await page.goto(dashboard.service.address);
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
  },
);
