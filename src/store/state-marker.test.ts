import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { markAnalysisStarted, readStateMarker } from './state-marker.js';

let root = '';
let stateDir = '';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'state-'));
  stateDir = join(root, 'state');
});

afterEach(() => rm(root, { recursive: true, force: true }));

const at = (second: number) => new Date(Date.UTC(2026, 7, 19, 9, 15, second));
const time = (second: number) => `2026-08-19T09:15:0${second}.000+00:00`;
const completed = { run_id: '20260819T091501Z', status: 'COMPLETED', message: 'Done.' } as const;

test('before any analysis nothing is running and nothing has ended', async () => {
  expect(await readStateMarker(stateDir)).toEqual({
    running: null,
    last_run: null,
    last_cancelled: null,
  });
});

test('an analysis is running from its start to its end', async () => {
  const analysis = await markAnalysisStarted(stateDir, at(1), 1);
  expect(await readStateMarker(stateDir)).toEqual({
    running: { started_at: time(1), callers: 1, files: null },
    last_run: null,
    last_cancelled: null,
  });
  // The last word stays, although nobody waited for this one.
  void analysis.read({ read: 40, all: 312 });
  await analysis.ended(completed, at(2));
  expect(await readStateMarker(stateDir)).toEqual({
    running: null,
    last_run: { ...completed, started_at: time(1), finished_at: time(2) },
    last_cancelled: null,
  });
});

test('a running analysis tells how far it has come', async () => {
  const analysis = await markAnalysisStarted(stateDir, at(1), 3);
  await analysis.read({ read: 40, all: 312 });
  expect(await readStateMarker(stateDir)).toMatchObject({
    running: { started_at: time(1), callers: 3, files: { read: 40, all: 312 } },
  });
});

test('a cancelled analysis keeps what the last one did', async () => {
  await (await markAnalysisStarted(stateDir, at(1), 1)).ended(completed, at(2));
  await (await markAnalysisStarted(stateDir, at(3), 1)).cancelled(at(4));
  expect(await readStateMarker(stateDir)).toEqual({
    running: null,
    last_run: { ...completed, started_at: time(1), finished_at: time(2) },
    last_cancelled: { started_at: time(3), finished_at: time(4) },
  });
});

test('a killed process leaves its analysis running until the next one starts', async () => {
  await markAnalysisStarted(stateDir, at(1), 1);
  expect(await readStateMarker(stateDir)).toMatchObject({ running: { started_at: time(1) } });
  const next = await markAnalysisStarted(stateDir, at(5), 1);
  expect(await readStateMarker(stateDir)).toMatchObject({ running: { started_at: time(5) } });
  await next.ended({ run_id: null, status: 'FAILED', message: 'No server.' }, at(6));
  expect(await readStateMarker(stateDir)).toMatchObject({
    running: null,
    last_run: { run_id: null, status: 'FAILED' },
  });
});

test('a damaged marker says nothing, and the next analysis replaces it', async () => {
  await (await markAnalysisStarted(stateDir, at(1), 1)).ended(completed, at(2));
  await writeFile(join(stateDir, 'state.json'), '{"running": tr');
  expect(await readStateMarker(stateDir)).toBeNull();
  await (await markAnalysisStarted(stateDir, at(3), 1)).ended(completed, at(4));
  expect(await readStateMarker(stateDir)).toMatchObject({ last_run: { started_at: time(3) } });
});
