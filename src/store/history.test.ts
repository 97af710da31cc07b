import { appendFile, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleResults } from '../../test/support/results-sample.js';
import { folderForEach } from '../../test/support/temp-folder.js';
import type { ResultsDocument } from '../documents/results-document.js';
import { openHistory } from './history.js';
import { openResultsStore } from './results-store.js';

const folder = folderForEach();

const path = () => join(folder(), 'analyses.jsonl');
const second = (number: number) => String(number).padStart(2, '0');
/** Made in that second; callers of one analysis have one `at`. */
const run = (number: number, at = number): ResultsDocument => ({
  ...sampleResults(`20260819T0915${second(number)}Z`, ['pods.example.org-alice']),
  generated_at: `2026-08-19T09:15:${second(at)}.000+00:00`,
});
/** By a process of its own. */
const writeAll = async (...documents: ResultsDocument[]) => {
  const store = openResultsStore(folder());
  for (const document of documents) await store.write(document);
};
/** `3,2`: the runs of an analysis, by their seconds. */
const told = async (history = openHistory(folder())) =>
  (await history.list()).map(({ runs }) =>
    runs.map(({ run_id }) => Number(run_id.slice(13, 15))).join(),
  );

test('callers of one analysis are one, and what a run says when it is written again counts', async () => {
  const history = openHistory(folder());
  await writeAll(run(1), run(2, 1));
  await writeAll(run(3), run(4, 3), { ...run(3), warnings: ['one', 'another'] });
  expect(await told(history)).toEqual(['4,3', '2,1']);
  expect((await history.list())[0]?.runs.map(({ warnings }) => warnings)).toEqual([1, 2]);
  await writeAll(run(5));
  expect(await told(history)).toEqual(['5', '4,3', '2,1']);
});

test('[T23] a link in its place is none, so nothing is written to where it leads', async () => {
  const elsewhere = join(folder(), 'elsewhere');
  await writeFile(elsewhere, 'of others');
  await symlink(elsewhere, path());
  await expect(writeAll(run(1))).rejects.toMatchObject({ kind: 'disk' });
  expect(await readFile(elsewhere, 'utf8')).toBe('of others');
  expect(await told()).toEqual([]);
});

test('the deliveries that failed are counted', async () => {
  const published = [
    {
      kind: 'pod-average' as const,
      pod_id: 'a',
      resource_url: 'https://pods.example.org/x',
      recipients: [],
      failures: { 'https://pods.example.org/a/profile/card#me': 'No inbox.' },
    },
  ];
  await writeAll({ ...run(1), sharing: { enabled: true, published } });
  expect(await openHistory(folder()).list()).toMatchObject([{ runs: [{ failed_deliveries: 1 }] }]);
});

test('the newest analysis is the one that was written last, whatever a clock said', async () => {
  await writeAll(run(1), run(50), run(2));
  expect(await told()).toEqual(['2', '50', '1']);
});

test('an analysis outlasts its run documents', async () => {
  await writeAll(run(1), run(2));
  await rm(join(folder(), `run-${run(1).run_id}.json`));
  expect(await told()).toEqual(['2', '1']);
});

test('a line that a crash has torn spoils no other', async () => {
  await writeAll(run(1));
  await appendFile(path(), '\n{"run_id":"2026');
  expect(await told()).toEqual(['1']);
  await writeAll(run(2));
  expect(await told()).toEqual(['2', '1']);
});

test('[8.5] the lines of runs that are too old go, and the others stay as they were', async () => {
  await writeAll(run(1), run(2), run(3));
  const lines = async () => (await readFile(path(), 'utf8')).split('\n').filter((line) => line);
  const before = await lines();
  const history = openHistory(folder());
  const ids = [1, 2, 3].map((second) => run(second).run_id);
  expect(await history.runIds()).toEqual(ids);
  await history.drop((id) => id !== ids[1]);
  expect(await history.runIds()).toEqual([ids[1]]);
  expect(await lines()).toEqual([before[1]]);
});

test('[8.3][T38] it names no Pod, so that erasing somebody need not touch it', async () => {
  await writeAll(run(1));
  expect(await readFile(path(), 'utf8')).not.toMatch(/alice|https?:/);
});

test('[8.4][1.2] that figures were sent is known of the Analyser that sent them, for whoever looks later', async () => {
  const store = openResultsStore(folder());
  const { web_id } = run(1).analyser;
  await store.write(run(1), false);
  expect(await store.history.hasSentFigures(web_id)).toBe(false);
  await store.write(run(2), true);
  await store.write(run(3), false);
  const later = openHistory(folder());
  expect(await later.hasSentFigures(web_id)).toBe(true);
  const other = 'https://pods.example.org/other/profile/card#me';
  expect(await later.hasSentFigures(other)).toBe(false);
});

test.each([
  ['lacks a measure of today', '{"run_id":"20260301T080000Z","cohort":{},"sent_by":"https://a/"}'],
  ['was torn in the name', '{"sent_by":"htt'],
  ['was torn at once', '{'],
  ['names no WebID', '{"sent_by":1}'],
])('[8.4][1.2] a line that %s is evidence that figures were sent', async (_, line) => {
  await openResultsStore(folder()).write(run(1), false);
  await appendFile(path(), `\n${line}\n`);
  expect(await openHistory(folder()).hasSentFigures('https://a/')).toBe(true);
});

test('[8.4] who has sent is the first in its line, so a torn line without it is of a run that sent nothing', async () => {
  const store = openResultsStore(folder());
  await store.write(run(1), true);
  expect(await readFile(path(), 'utf8')).toMatch(/^\n\{"sent_by":/);
  await writeFile(path(), '{"run_id":"20260301T08');
  expect(await openHistory(folder()).hasSentFigures(run(1).analyser.web_id)).toBe(false);
});
