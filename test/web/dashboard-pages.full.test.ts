import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { markAnalysisStarted } from '../../src/store/state-marker.js';
import { sampleChart } from '../support/chart-sample.js';
import { focused, lookNow } from './support/audit-page.js';
import { chromiumPath, prepareServedDashboardTests } from './support/dashboard.js';
import { podIdOf, podNames, sampleRun, webIdOf } from './support/sample-cohort.js';
import { smallPng } from './support/small-png.js';

describe.skipIf(chromiumPath === undefined)('the dashboard in a browser', () => {
  const dashboard = prepareServedDashboardTests();
  const { serve, open, tests } = dashboard;

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

  test('a kind of warnings says once what to do, and each leads to its Pod', async () => {
    await serve(sampleRun(0, 40));
    const { page } = await open('#/warnings');
    await page.getByText('Could not be decrypted').click();
    const group = page.locator('details[open]');
    await group.getByText('The owner shares it again.').waitFor();
    const lines = group.getByRole('listitem');
    expect((await lines.allInnerTexts())[0]).toBe(
      'eve app/data/blood_pressure/bp_2026-11-01T07-00-00.json.enc.ttl',
    );
    await lines.first().getByRole('link', { name: 'eve' }).click();
    await page.getByRole('heading', { level: 1, name: podIdOf('eve') }).waitFor();
  });

  test('a change says when it comes with another cohort', async () => {
    await serve(sampleRun(0, 2), sampleRun(1, 3));
    const { page } = await open('#/');
    await page.getByText('with another cohort: 3 Pods, 1 new').first().waitFor();
  });

  test('after one analysis there is no course yet, and a sentence in its place', async () => {
    await serve(sampleRun(0, 2));
    const { page } = await open('#/history');
    const sentence = page.getByText('The course appears from the second analysis on.');
    await sentence.waitFor();
    await page.goto(`${dashboard.service.address}/#/pods/localhost%3A3000-alice`);
    await sentence.waitFor();
    expect(await page.locator('.trend').count()).toBe(0);
  });

  test('forty Pods are sorted and filtered, and the link carries it', async () => {
    await serve(sampleRun(0, 40));
    const { page } = await open('#/pods');
    const rows = page.locator('.pods-table tbody tr');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(40);

    const systolic = page.getByRole('columnheader', { name: /Systolic/ });
    const averages = async () =>
      (await page.locator('.pods-table tbody td:nth-child(2)').allInnerTexts()).map(Number);
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

  test('the home average of who asked is in the list and, with its days, on the page of the Pod; a recent one only there', async () => {
    await serve(sampleRun(0, 3));
    const { page } = await open('#/pods');
    const homes = page.locator('.pods-table tbody td:nth-child(5)');
    await homes.first().waitFor();
    expect(await homes.allInnerTexts()).toEqual(['127.3 / 81.5', '–', '–']);

    await page.getByRole('link', { name: 'alice' }).click();
    const sentence =
      'Home average: 6 days from 14 Nov 2026 to 19 Nov 2026, 14 readings, the first day left out.';
    await page.getByText(sentence).waitFor();
    const systolic = page.getByRole('row', { name: /^Systolic/ }).locator('td');
    expect((await systolic.allInnerTexts()).slice(1, 4)).toEqual(['127.3', '125.0', '–']);

    await page.goBack();
    await page.getByRole('link', { name: 'bob' }).click();
    await page.getByRole('columnheader', { name: 'Recent average' }).waitFor();
    await page.getByText('Recent average: 6 days from 30 Oct 2026 to 19 Nov 2026').waitFor();
    expect(await page.getByText('Home average', { exact: true }).count()).toBe(0);

    await page.goBack();
    await page.getByRole('link', { name: podNames[2] ?? '' }).click();
    await page.getByRole('columnheader', { name: 'Lowest' }).waitFor();
    expect(await page.getByText(/(Home|Recent) average/).count()).toBe(0);
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
    const link = page.getByRole('link', { name: 'eve' });
    await link.focus();
    const before = await page.locator('.pods-table tbody').innerText();

    const next = sampleRun(1, 40);
    await dashboard.service.results.write(next);
    const marker = await markAnalysisStarted(dashboard.service.stateDir, new Date(), 1);
    await marker.ended({ run_id: next.run_id, status: 'COMPLETED', message: '' }, new Date());
    await lookNow(page);
    await page.getByText('New results: run of 17 Oct 2026, 09:15 UTC.').waitFor();

    expect(await page.locator('.pods-table tbody').innerText()).not.toBe(before);
    expect(await focused(page)).toBe('eve');
    expect(await page.getByRole('searchbox').inputValue()).toBe('e');
    expect(page.url()).toContain('?sort=readings&dir=desc&q=e');
  });

  test('one Pod is shown in detail with the chart of this run', async () => {
    await serve(sampleRun(0, 5));
    await dashboard.service.charts.write(podIdOf('alice'), smallPng, sampleChart(60));
    const { page, complaints } = await open('#/pods');
    await page.getByText('5 Pods, all on localhost:3000').waitFor();
    await page.getByRole('link', { name: 'alice' }).click();
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
    await vi.waitFor(point, { timeout: 60_000 });
    expect(await page.locator('.cursor.lit').count()).toBe(3);
    const pointed = await name.innerText();
    for (const index of [0, 1, 2]) {
      expect(await rows.nth(index).locator('.readout').innerText()).toContain(pointed);
    }
    await page.mouse.down();
    await page.mouse.up();
    await page.getByRole('heading', { level: 1, name: podIdOf(pointed) }).waitFor();

    await page.goto(`${dashboard.service.address}/#/`);
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
    await page.goto(`${dashboard.service.address}/#/history`);
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

  test('before the first run it says what to do, and shows the first run as it lands', async () => {
    await serve();
    const { page } = await open('');
    await page.getByRole('heading', { name: 'No analysis has run yet' }).waitFor();
    expect(await page.locator('main').innerText()).toContain('./run.sh run-once');
    expect(await page.getByText('cannot be loaded').count()).toBe(0);

    await dashboard.service.results.write(sampleRun(0, 2));
    await lookNow(page);
    await page.getByText('Pooled over all readings').first().waitFor();
    expect(await page.getByText('No analysis has run yet').count()).toBe(0);
  });

  test('an analysis that failed is told above every page, until one succeeds', async () => {
    const old = sampleRun(0, 2);
    await serve(old);
    const failed = await markAnalysisStarted(
      dashboard.service.stateDir,
      new Date('2026-10-17T08:00:00Z'),
      1,
    );
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
      await page.goto(`${dashboard.service.address}/${hash}`);
      const attention = page.getByRole('region', { name: 'Attention' });
      await attention.getByRole('heading', { name: 'The last analysis failed' }).waitFor();
      expect(await attention.innerText(), hash).toContain(
        `17 Oct 2026, 08:01 UTC: ${message} What is shown is the run of 16 Oct 2026, 09:15 UTC.`,
      );
    }
    await page.getByText('Last run failed').waitFor();

    const next = sampleRun(2, 2);
    await dashboard.service.results.write(next);
    const done = await markAnalysisStarted(dashboard.service.stateDir, new Date(), 1);
    await done.ended({ run_id: next.run_id, status: 'COMPLETED', message: '' }, new Date());
    await lookNow(page);
    await page
      .getByRole('heading', { name: 'The last analysis failed' })
      .waitFor({ state: 'detached' });
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
    expect(complaints).toEqual([]);
  });
});
