import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderForEach } from '../../test/support/temp-folder.js';
import { acquireLock, readLockState } from './folder-lock.js';

const root = folderForEach();
const stateDir = () => join(root(), 'state');

const path = (name = 'analysis') => join(stateDir(), `${name}.lock`);

test('the folder is created, and a lock can be taken again when it was given back', async () => {
  for (let round = 0; round < 3; round++) {
    const lock = await acquireLock(stateDir(), 'analysis');
    await lock.unlock();
    await lock.unlock();
  }
  expect(await readdir(stateDir())).toEqual(['analysis.lock']);
});

test('a second taker waits until the first one gives it back', async () => {
  const first = await acquireLock(stateDir(), 'analysis');
  let isTaken = false;
  let waits = 0;
  const waited = new Promise<void>((resolve) => {
    void acquireLock(stateDir(), 'analysis', {
      onWait: () => {
        waits += 1;
        resolve();
      },
    }).then(async (second) => {
      isTaken = true;
      await second.unlock();
    });
  });
  await waited;
  expect(isTaken).toBe(false);
  await first.unlock();
  await expect.poll(() => isTaken).toBe(true);
  expect(waits).toBe(1);
});

test('waiting ends with the reason of the signal, and the lock stays with its holder', async () => {
  const lock = await acquireLock(stateDir(), 'analysis');
  const stop = new AbortController();
  const waiting = acquireLock(stateDir(), 'analysis', {
    signal: stop.signal,
    onWait: () => stop.abort(new Error('enough')),
  });
  await expect(waiting).rejects.toThrow('enough');
  expect(await readLockState(stateDir(), 'analysis')).toMatchObject({ state: 'alive' });
  await lock.unlock();
});

test('who does not wait is told at once who holds it', async () => {
  const lock = await acquireLock(stateDir(), 'service', { about: 'process 7 on a machine' });
  const began = performance.now();
  const refused = acquireLock(stateDir(), 'service', {
    refuse: (about) => new Error(`by ${about}`),
  });
  await expect(refused).rejects.toThrow('by process 7 on a machine');
  expect(performance.now() - began).toBeLessThan(2_000);
  await lock.unlock();
});

test('[T23] a folder or a file that cannot be had is an error of the disk', async () => {
  await writeFile(join(root(), 'file'), '');
  const inside = join(root(), 'file', 'state');
  await expect(acquireLock(inside, 'analysis')).rejects.toMatchObject({ kind: 'disk' });
  await (await acquireLock(stateDir(), 'analysis')).unlock();
  await rm(path());
  await symlink(join(stateDir(), 'elsewhere'), path());
  await expect(acquireLock(stateDir(), 'analysis')).rejects.toMatchObject({
    kind: 'disk',
    message: expect.stringContaining('It is a symbolic link: remove it'),
  });
  expect(await readdir(stateDir())).toEqual(['analysis.lock']);
});

test('[0.5] a holder whose file was removed or replaced learns it, and another can hold one then', async () => {
  const lock = await acquireLock(stateDir(), 'analysis');
  await lock.requireHeld();
  await rm(path());
  const lost = { kind: 'disk', message: expect.stringContaining(path()) };
  await expect(lock.requireHeld()).rejects.toMatchObject(lost);
  const other = await acquireLock(stateDir(), 'analysis');
  await expect(lock.requireHeld()).rejects.toMatchObject(lost);
  await lock.unlock();
  await other.requireHeld();
  expect(await readLockState(stateDir(), 'analysis')).toMatchObject({ state: 'alive' });
  await other.unlock();
});

test('the state tells who holds it, who was killed, and that it was given back', async () => {
  expect(await readLockState(stateDir(), 'service')).toBeNull();
  const lock = await acquireLock(stateDir(), 'service', { about: 'process 7' });
  const at = expect.any(Date);
  expect(await readLockState(stateDir(), 'service')).toEqual({
    state: 'alive',
    at,
    about: 'process 7',
  });
  await lock.unlock();
  expect(await readLockState(stateDir(), 'service')).toEqual({ state: 'stopped', at, about: '' });
  // As a killed process leaves it.
  await writeFile(path('service'), 'process 7 on a machine with a long name');
  expect(await readLockState(stateDir(), 'service')).toMatchObject({
    state: 'killed',
    about: expect.stringContaining('process 7'),
  });
  const next = await acquireLock(stateDir(), 'service', { about: 'process 8' });
  expect(await readFile(path('service'), 'utf8')).toBe('process 8');
  await next.unlock();
});
