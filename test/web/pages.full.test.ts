import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { acquireLock } from '../../src/store/folder-lock.js';
import { forAnalysis, markAnalysisStarted } from '../../src/store/state.js';
import { samplePicture } from '../support/chart-sample.js';
import { chromiumPath, prepareServedPages } from './support/dashboard.js';
import { noMeasure, podIdOf, sampleRun, webIdOf } from './support/sample-cohort.js';

describe.skipIf(chromiumPath === undefined)('the pages in a browser', () => {
  const dashboard = prepareServedPages();
  const { serve, open } = dashboard;

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
    await serve(sampleRun(2, 2), run);
    const { page, complaints } = await open('');

    const figures = await page.locator('.figures > li').allInnerTexts();
    const shown = [
      ['Systolic', '121.4 mm Hg', '123.0 mm Hg', '± 9.1 mm Hg'],
      ['Diastolic', '79.0 mm Hg', '80.0 mm Hg', '± 0.0 mm Hg'],
      ['Heart rate', '– bpm', '– bpm', '± – bpm'],
    ].map(([name, average, pooled, spread]) => [
      name,
      average,
      'Pooled over all readings',
      pooled,
      'Spread between Pods',
      spread,
    ]);
    expect(figures.map((text) => text.trim().split(/\s*\n\s*/))).toEqual(shown);
    const counts = await page.locator('.figures + .facts').innerText();
    expect(counts).toContain('1,230');
    expect(counts).toContain('4 of 1,234 left out');
    expect(counts).toContain('56,789');
    expect(await page.title()).toBe('The cohort now · Blood pressure cohort');
    expect(complaints).toEqual([]);
  });

  test('one Pod is shown with the picture of this run and its figures beside it', async () => {
    await serve(sampleRun(0, 5));
    await dashboard.service.charts.write(podIdOf('alice'), samplePicture());
    const { page, complaints } = await open(`runs/${sampleRun(0, 5).run_id}/pods`);
    await page.getByText('5 Pods').waitFor();
    await page.getByRole('link', { name: 'alice' }).click();
    // With its picture, which is looked at below: a heading is there before it.
    await page.waitForURL(/\/pods\/localhost%3A3000-alice$/, { waitUntil: 'load' });
    await page.getByRole('heading', { level: 1, name: podIdOf('alice') }).waitFor();
    await page.getByText(webIdOf('alice'), { exact: true }).waitFor();
    await page.getByText('As its owner got it when they last asked').waitFor();
    const inFull = page.getByRole('link', { name: 'Open in full' });
    expect(await inFull.getAttribute('href')).toMatch(/chart\.png$/);
    const picture = page.getByRole('img', { name: 'Line chart of the readings of alice' });
    const width = "document.querySelector('.pod-chart img').naturalWidth";
    expect(await page.evaluate(width)).toBe(1);
    const [left, right] = [
      await picture.boundingBox(),
      await page.getByRole('table').boundingBox(),
    ];
    expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThan(right?.x ?? 0);
    const home = page.getByRole('row', { name: /^Home average/ }).locator('td');
    expect(await home.allInnerTexts()).toEqual(['127.3', '81.5', '66.0']);
    await page
      .getByText('Home average: 6 days from 14 Nov 2026 to 19 Nov 2026, 14 readings')
      .waitFor();
    expect(complaints).toEqual([]);

    // Nobody is told the home average of the one who asked last, as if others had none.
    await page.getByRole('link', { name: 'Pods', exact: true }).click();
    await page.waitForURL(/pods$/);
    expect(await page.getByText('Home average').count()).toBe(0);
  });

  test('a dot tells whose it is, and leads there, by pointer and by keyboard', async () => {
    await serve(sampleRun(0, 6), sampleRun(1, 6));
    const { page } = await open('');
    const overview = page.url();
    const dot = page.locator('.averages-row').first().getByRole('link').nth(2);
    const label = dot.locator('.name');
    const isSeen = async () =>
      (await label.evaluate((text) => getComputedStyle(text).opacity)) === '1';
    const name = /^(.+): \d+\.\d mm Hg$/.exec((await label.textContent()) ?? '')?.[1] ?? '';
    expect(await isSeen()).toBe(false);
    await dot.locator('circle').click();
    await page.getByRole('heading', { level: 1, name: podIdOf(name) }).waitFor();

    await page.goto(overview);
    await page.getByRole('link', { name: 'All Pods as a table' }).focus();
    for (let stop = 0; stop < 3; stop += 1) await page.keyboard.press('Tab');
    expect(await isSeen()).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: podIdOf(name) }).waitFor();

    await page.goto(`${dashboard.service.address}/history`);
    await page.getByRole('link', { name: 'The table' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page
      .getByRole('heading', { level: 1, name: 'Run of 16 Oct 2026, 09:15:00 UTC' })
      .waitFor();
  });

  test('the history shows thirty days, others when asked, and leads to each run', async () => {
    await serve(...Array.from({ length: 35 }, (_, number) => sampleRun(number, 2)));
    const { page } = await open('history');
    const rows = page.locator('tbody tr');
    expect(await rows.count()).toBe(30);
    expect(await page.locator('.trend').first().locator('.dot').count()).toBe(30);
    await page.getByRole('link', { name: '7 days' }).click();
    await page.waitForURL(/days=7$/);
    expect(await rows.count()).toBe(7);
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await page.waitForURL(/days=all$/);
    expect(await rows.count()).toBe(35);
    await page.getByRole('link', { name: '18 Oct 2026, 09:15:02 UTC', exact: true }).click();
    await page.getByRole('heading', { name: 'Run of 18 Oct 2026, 09:15:02 UTC' }).waitFor();
    await page.getByRole('link', { name: 'All Pods as a table' }).click();
    await page.getByRole('link', { name: 'bob' }).click();
    await page.getByRole('heading', { level: 1, name: podIdOf('bob') }).waitFor();
    expect(page.url()).toMatch(/\/runs\/20261018T091502Z\/pods\/localhost%3A3000-bob$/);
  });

  test('callers who shared an analysis are one point and one row, with a run for each, and what it did not deliver', async () => {
    const shared = [sampleRun(2, 3), sampleRun(3, 3), sampleRun(4, 3)];
    for (const run of shared) run.generated_at = sampleRun(2, 3).generated_at;
    const [delivery] = shared[0]?.sharing.published ?? [];
    if (delivery === undefined) throw new Error('The sample has a delivery.');
    delivery.failures = { [webIdOf('alice')]: 'did not receive the key' };
    await serve(sampleRun(0, 3), sampleRun(1, 3), ...shared);
    const { page } = await open('history');
    expect(await page.locator('.trend').first().locator('.dot').count()).toBe(3);
    expect(await page.locator('tbody tr').count()).toBe(3);
    await page.getByText('3 runs').click();
    const links = page.locator('tbody details').getByRole('link');
    expect(await links.allInnerTexts()).toEqual(shared.map(({ run_id }) => run_id).reverse());
    await page.getByText(`${shared[0]?.run_id}, 1 not delivered`).waitFor();
    await links.last().click();
    await page.getByText('did not receive the key').waitFor();
  });

  test('a measure that nobody has draws no axis', async () => {
    const runs = [sampleRun(0, 2), sampleRun(1, 2)];
    for (const run of runs) {
      run.cohort.average_of_averages.heart_rate = null;
      for (const { measures } of run.pods) measures.heart_rate = noMeasure;
    }
    await serve(...runs);
    const { page } = await open('');
    await page.getByText('No Pod has an average of this measure.').waitFor();
    expect(await page.locator('.averages-row.heart_rate svg.plot').count()).toBe(0);
    await page.goto(`${dashboard.service.address}/history`);
    await page.getByText('No analysis has an average of this measure.').waitFor();
  });

  test('a run that found nothing says so instead of showing only dashes', async () => {
    await serve({ ...sampleRun(0, 0), warnings: [] });
    const { page } = await open('');
    await page.getByRole('heading', { name: 'This run found no readings' }).waitFor();
    expect(await page.content()).not.toContain('run.sh');
    await page.getByRole('link', { name: 'Pods', exact: true }).click();
    await page.getByText('0 Pods').waitFor();
  });

  test('the state of the service is shown: running, how the last run ended, left behind', async () => {
    await serve(sampleRun(0, 2));
    const { stateDir } = dashboard.service;
    const first = await markAnalysisStarted(stateDir, new Date('2026-11-19T08:00:00Z'), 1);
    const cancelled = { run_id: null, status: 'CANCELLED', message: '' } as const;
    await first.ended(cancelled, new Date('2026-11-19T08:00:05Z'));
    const second = await markAnalysisStarted(stateDir, new Date('2026-11-19T09:00:00Z'), 1);
    await second.ended(
      { run_id: null, status: 'FAILED', message: 'The storage server could not be reached.' },
      new Date('2026-11-19T09:01:00Z'),
    );
    const lock = await acquireLock(stateDir, 'analysis', { about: forAnalysis });
    const third = await markAnalysisStarted(stateDir, new Date('2026-11-19T10:00:00Z'), 2);
    await third.read({ read: 40, all: 312 });
    const { page } = await open('');
    const state = page.locator('.state');
    expect(await state.innerText()).toBe(
      'Analysis running since 19 Nov 2026, 10:00:00 UTC · read 40 of 312 files',
    );
    // Its process is killed.
    await lock.unlock();
    await writeFile(join(stateDir, 'analysis.lock'), forAnalysis);
    await page.reload();
    await page.getByRole('heading', { name: 'An analysis has not reported its end' }).waitFor();
    expect(await state.innerText()).toBe('Last run failed');
  });

  test('the documentation of the API is the one page that runs a program, and leads back', async () => {
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
      expect(await tab.evaluate('document.scripts.length')).toBe(0);
      expect(complaints).toEqual([]);
    }
  });
});
