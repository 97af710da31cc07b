import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acquireLock } from './folder-lock.js';
import { readLockState, requireLock } from './lock-file.js';

let stateDir = '';

beforeEach(async () => {
  stateDir = join(await mkdtemp(join(tmpdir(), 'folder-lock-')), 'state');
});

afterEach(() => rm(join(stateDir, '..'), { recursive: true, force: true }));

test('the folder is created, and a lock can be taken again when it was let go', async () => {
  for (let round = 0; round < 3; round++) {
    const lock = await acquireLock(stateDir, 'analysis');
    await lock.unlock();
    await lock.unlock();
  }
  expect(await readdir(stateDir)).toEqual(['analysis-3.lock']);
});

test('who comes after a holder that let go has nothing to clean up; the very first may', async () => {
  const first = await acquireLock(stateDir, 'analysis');
  expect(first.afterCrash).toBe(true);
  await first.unlock();
  const second = await acquireLock(stateDir, 'analysis');
  expect(second.afterCrash).toBe(false);
  const waiting = acquireLock(stateDir, 'analysis', { pollMs: 10 });
  await second.unlock();
  const third = await waiting;
  expect(third.afterCrash).toBe(false);
  await third.unlock();
});

test('the locks of one folder are apart', async () => {
  const [analysis, service] = [
    await acquireLock(stateDir, 'analysis'),
    await acquireLock(stateDir, 'service'),
  ];
  await analysis.unlock();
  await requireLock(service.mark);
  await service.unlock();
});

test('waiting ends with the reason of the signal, and the lock stays with its holder', async () => {
  const lock = await acquireLock(stateDir, 'analysis');
  const stop = new AbortController();
  const waiting = acquireLock(stateDir, 'analysis', {
    signal: stop.signal,
    onWait: () => stop.abort(new Error('enough')),
  });
  await expect(waiting).rejects.toThrow('enough');
  expect(await readdir(stateDir)).toEqual(['analysis-1.lock']);
  await lock.unlock();
});

test('who does not wait for ever is told who holds it', async () => {
  const lock = await acquireLock(stateDir, 'service', { about: 'process 7' });
  const error = (about: string) => new Error(`held by ${about}`);
  const waiting = acquireLock(stateDir, 'service', { pollMs: 5, giveUp: { afterMs: 20, error } });
  await expect(waiting).rejects.toThrow('held by process 7');
  await lock.unlock();
});

test('a state folder that cannot be made is an error that names it', async () => {
  await writeFile(join(stateDir, '..', 'file'), '');
  const inside = join(stateDir, '..', 'file', 'state');
  await expect(acquireLock(inside, 'analysis')).rejects.toMatchObject({
    kind: 'disk',
    message: expect.stringContaining(inside),
  });
});

describe('a lock left behind', () => {
  const path = () => join(stateDir, 'analysis-1.lock');
  async function leave(text: string): Promise<void> {
    const lock = await acquireLock(stateDir, 'analysis');
    await lock.unlock();
    await writeFile(path(), text);
  }
  const quick = { pollMs: 10, staleMs: 300, signal: AbortSignal.timeout(20_000) };

  test.each([
    ['by a process that was killed', JSON.stringify({ token: 'a', about: 'b' })],
    ['before it was written', ''],
    ['with nonsense in it', '{"pid":-1}'],
  ])('%s is taken once it has been silent long enough', async (_how, text) => {
    await leave(text);
    let waited = false;
    const start = performance.now();
    const lock = await acquireLock(stateDir, 'analysis', {
      ...quick,
      onWait: () => {
        waited = true;
      },
    });
    expect(waited).toBe(true);
    expect(performance.now() - start).toBeGreaterThanOrEqual(300);
    expect(lock.afterCrash).toBe(true);
    await lock.unlock();
  });

  test('is respected while it gives signs of life, whatever its clock says', async () => {
    await leave(JSON.stringify({ token: 'a', about: 'b' }));
    let year = 1990;
    const beat = setInterval(() => {
      year += 1;
      void utimes(path(), new Date(`${year}-01-01`), new Date(`${year}-01-01`));
    }, 20);
    const signal = AbortSignal.timeout(900);
    await expect(acquireLock(stateDir, 'analysis', { ...quick, signal })).rejects.toThrow(
      'timeout',
    );
    clearInterval(beat);
  });
});

describe('a holder', () => {
  test('gives signs of life, and readers see whether it did', async () => {
    const lock = await acquireLock(stateDir, 'service', { beatMs: 20 });
    const path = join(stateDir, 'service-1.lock');
    const longAgo = new Date('2026-08-19T09:15:00Z');
    await utimes(path, longAgo, longAgo);
    const stateOf = async () => (await readLockState(stateDir, 'service'))?.state;
    await expect.poll(async () => (await stat(path)).mtime).not.toEqual(longAgo);
    expect(await stateOf()).toBe('alive');
    await lock.unlock();
    expect(await stateOf()).toBe('stopped');
    expect(await readLockState(stateDir, 'analysis')).toBeNull();
    await acquireLock(stateDir, 'service', { beatMs: 1_000_000 });
    await utimes(join(stateDir, 'service-2.lock'), longAgo, longAgo);
    expect(await readLockState(stateDir, 'service')).toEqual({
      state: 'silent',
      at: longAgo,
      about: '',
    });
  });

  test('that was paused for too long finds out, and leaves the lock of the next one alone', async () => {
    const lost: string[] = [];
    const paused = await acquireLock(stateDir, 'analysis', {
      beatMs: 500,
      onLost: ({ kind }) => lost.push(kind),
    });
    await requireLock(paused.mark);
    const next = await acquireLock(stateDir, 'analysis', { pollMs: 10, staleMs: 100 });
    await expect(requireLock(paused.mark)).rejects.toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('another process took its turn over'),
    });
    await expect.poll(() => lost).toEqual(['timeout']);
    await paused.unlock();
    await requireLock(next.mark);
    await next.unlock();
  });

  test('whose folder was put back finds out as well', async () => {
    const lock = await acquireLock(stateDir, 'analysis');
    await rm(stateDir, { recursive: true });
    await expect(requireLock(lock.mark)).rejects.toThrow('took its turn over');
    const other = await acquireLock(stateDir, 'analysis');
    await expect(requireLock(lock.mark)).rejects.toThrow('took its turn over');
    await requireLock(other.mark);
    await other.unlock();
  });
});
