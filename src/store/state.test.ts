import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderForEach } from '../../test/support/temp-folder.js';
import { markAnalysisStarted, readStateMarker } from './state.js';

const root = folderForEach();
const stateDir = () => join(root(), 'state');

const at = (second: number) => new Date(Date.UTC(2026, 7, 19, 9, 15, second));
const time = (second: number) => `2026-08-19T09:15:0${second}.000+00:00`;
const completed = { run_id: '20260819T091501Z', status: 'COMPLETED', message: 'Done.' } as const;

test('an analysis is running from its start to its end', async () => {
  const analysis = await markAnalysisStarted(stateDir(), at(1), 1);
  expect(await readStateMarker(stateDir())).toEqual({
    running: { started_at: time(1), callers: 1, files: null },
    last_run: null,
    last_cancelled: null,
  });
  // The last word stays, although nobody waited for this one.
  void analysis.read({ read: 40, all: 312 });
  await analysis.ended(completed, at(2));
  expect(await readStateMarker(stateDir())).toEqual({
    running: null,
    last_run: { ...completed, started_at: time(1), finished_at: time(2) },
    last_cancelled: null,
  });
  // What a stopped analysis still reads does not make it run again.
  await analysis.read({ read: 41, all: 312 });
  expect(await readStateMarker(stateDir())).toMatchObject({ running: null });
});

test('[0.8] of an analysis for a WebID of which nothing is known nothing is noted', async () => {
  await (await markAnalysisStarted(stateDir(), at(1), 1)).ended(completed, at(2));
  const unknown = { status: 'NO_DATA', run_id: null, message: 'Nothing is shared.' } as const;
  await (await markAnalysisStarted(stateDir(), at(3), 1)).ended(unknown, at(4));
  expect(await readStateMarker(stateDir())).toMatchObject({ running: null, last_run: completed });
});

test('a damaged marker says nothing, and the next analysis replaces it', async () => {
  await (await markAnalysisStarted(stateDir(), at(1), 1)).ended(completed, at(2));
  await writeFile(join(stateDir(), 'state.json'), '{"running": tr');
  expect(await readStateMarker(stateDir())).toBeNull();
  await (await markAnalysisStarted(stateDir(), at(3), 1)).ended(completed, at(4));
  expect(await readStateMarker(stateDir())).toMatchObject({ last_run: { started_at: time(3) } });
});
