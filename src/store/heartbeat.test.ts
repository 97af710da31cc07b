import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readHeartbeat, startHeartbeat } from './heartbeat.js';

let stateDir = '';

beforeEach(async () => {
  stateDir = join(await mkdtemp(join(tmpdir(), 'heartbeat-')), 'state');
});

afterEach(() => rm(join(stateDir, '..'), { recursive: true, force: true }));

const never = 1_000_000;
const longAgo = new Date('2026-08-19T09:15:00Z');

const files = async () => (await readdir(stateDir)).map((name) => join(stateDir, name));

/** A process that was killed leaves its file as it is, and time goes by. */
async function leaveBehind(): Promise<void> {
  await startHeartbeat(stateDir, never);
  for (const path of await files()) await utimes(path, longAgo, longAgo);
}

test('where no service was ever started nothing is known', async () => {
  expect(await readHeartbeat(stateDir)).toBeNull();
});

test('a service is alive until it is stopped', async () => {
  const service = await startHeartbeat(stateDir);
  expect(await readHeartbeat(stateDir)).toMatchObject({ state: 'alive' });
  await service.stop();
  expect(await readHeartbeat(stateDir)).toMatchObject({ state: 'stopped' });
});

test('a service that beats no more is silent since its last beat', async () => {
  await leaveBehind();
  expect(await readHeartbeat(stateDir)).toMatchObject({ state: 'silent', at: longAgo });
});

test('one of several services that lives counts, whatever became of the others later', async () => {
  const first = await startHeartbeat(stateDir);
  const second = await startHeartbeat(stateDir);
  await second.stop();
  expect(await readHeartbeat(stateDir)).toMatchObject({ state: 'alive' });
  await first.stop();
  expect(await readHeartbeat(stateDir)).toMatchObject({ state: 'stopped' });
});

test('who starts removes the files of those that are gone', async () => {
  await leaveBehind();
  await (await startHeartbeat(stateDir)).stop();
  const service = await startHeartbeat(stateDir);
  const other = await startHeartbeat(stateDir);
  expect((await files()).length).toBe(2);
  await Promise.all([service.stop(), other.stop()]);
});

test('a beat touches the file, and makes it again when somebody has removed it', async () => {
  const service = await startHeartbeat(stateDir, 20);
  const [path = ''] = await files();
  await utimes(path, longAgo, longAgo);
  await expect.poll(async () => (await readHeartbeat(stateDir))?.state).toBe('alive');
  await rm(path);
  await expect.poll(files).toEqual([path]);
  await service.stop();
});
