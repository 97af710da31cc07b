import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sampleChart } from '../../test/support/chart-sample.js';
import { outputBelow } from '../../test/support/output-below.js';
import { sampleResults } from '../../test/support/results-sample.js';
import { openAnalysisList } from './analysis-list.js';
import { openChartStore } from './chart-store.js';
import { openResultsStore } from './results-store.js';
import {
  describeUnbounded,
  measureStored,
  openStoredKeeper,
  readStoredBytes,
} from './stored-bytes.js';

const now = new Date('2026-08-31T12:00:00Z');
let root = '';
let folders = { state_dir: '', results_dir: '', charts_dir: '' };

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'stored-'));
  folders = outputBelow(root);
});
afterEach(() => rm(root, { recursive: true }));

const open = () => openResultsStore(folders.results_dir);
const day = (number: number) => String(number).padStart(2, '0');
/** A run of some 110 kB. */
const run = (number: number) => ({
  ...sampleResults(`202608${day(number)}T091500Z`, ['a.example-anna']),
  generated_at: `2026-08-${day(number)}T09:15:00.000+00:00`,
  warnings: [`x`.repeat(110_000)],
});
const days = async () =>
  (await open().listRuns()).map((runId) => Number(runId.slice(6, 8))).reverse();

test('there is nothing before the first run', async () => {
  expect(await measureStored(folders, now)).toEqual({ runs: [], bytes: 0, bytesPerDay: 0 });
  expect(await readStoredBytes(folders.state_dir)).toBeNull();
});

test('runs and charts are added up, and the last week says how they grow', async () => {
  const store = open();
  for (let number = 20; number <= 31; number += 1) await store.write(run(number));
  await openChartStore(folders).write('a.example-anna', Buffer.alloc(5_000), sampleChart(1));
  await openStoredKeeper({ ...folders, keep_megabytes: null }, store)(now);
  const told = await readStoredBytes(folders.state_dir);
  expect(told?.bytes).toBeGreaterThan(12 * 110_000 + 5_000);
  expect(told?.bytes).toBeLessThan(12 * 115_000 + 10_000);
  // Seven of twelve runs within seven days.
  expect(told?.bytes_per_day).toBeGreaterThan(110_000);
  expect(told?.bytes_per_day).toBeLessThan(115_000);
});

test('beyond the limit the oldest runs go; summaries, the latest and charts stay', async () => {
  const store = open();
  const keep = openStoredKeeper({ ...folders, keep_megabytes: 1 }, store);
  // Of a clock that was wrong: it sorts last, and is not the newest.
  await store.write({
    ...run(31),
    run_id: '20310101T000000Z',
    generated_at: '2031-01-01T00:00:00Z',
  });
  for (let number = 10; number <= 17; number += 1) await store.write(run(number));
  await openChartStore(folders).write('a.example-anna', Buffer.alloc(50_000), sampleChart(1));
  await keep(now);
  // 9 × 111 kB and the chart: nine tenths of the limit are seven runs.
  expect(await days()).toEqual([12, 13, 14, 15, 16, 17, 1]);
  await store.write(run(18));
  await keep(now);
  expect(await days()).toEqual([12, 13, 14, 15, 16, 17, 18, 1]);
  await store.write(run(19));
  await keep(now);
  expect(await days()).toEqual([14, 15, 16, 17, 18, 19, 1]);
  expect(await readdir(folders.charts_dir)).toEqual(['a.example-anna.png']);
  expect(await openAnalysisList(folders.results_dir, open()).list()).toHaveLength(11);
  expect(await open().readLatest()).toMatchObject({ document: { run_id: run(19).run_id } });
});

test('the run of latest.json stays, whatever the limit and whatever it is called', async () => {
  const store = open();
  for (const number of [20, 21, 5])
    await store.write({ ...run(number), warnings: ['x'.repeat(600_000)] });
  await openStoredKeeper({ ...folders, keep_megabytes: 1 }, store)(now);
  expect(await days()).toEqual([5]);
});

test('without a limit nothing goes, and from 1 GB on a warning says how it grows', async () => {
  const store = open();
  await store.write(run(1));
  await writeFile(join(folders.results_dir, 'notes.txt'), 'mine');
  const keep = openStoredKeeper({ ...folders, keep_megabytes: null }, store);
  expect((await keep(now)).warning).toBeNull();
  expect(await readFile(join(folders.results_dir, 'notes.txt'), 'utf8')).toBe('mine');
  expect(describeUnbounded({ bytes: 999_999_999, bytes_per_day: 1 })).toBeNull();
  expect(describeUnbounded({ bytes: 1_234_000_000, bytes_per_day: 4_200_000 })).toBe(
    'Runs and charts take 1234 MB, and 4.2 MB more each day, without a limit: set output.keep_megabytes or output.keep_days.',
  );
});
