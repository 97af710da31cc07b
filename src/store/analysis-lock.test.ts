import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acquireAnalysisLock } from './analysis-lock.js';
import { identifyThisProcess } from './process-identity.js';

let stateDir = '';

beforeEach(async () => {
  stateDir = join(await mkdtemp(join(tmpdir(), 'analysis-lock-')), 'state');
});

afterEach(() => rm(join(stateDir, '..'), { recursive: true, force: true }));

test('the folder is created, and a released lock can be taken again', async () => {
  for (let round = 0; round < 3; round++) {
    const lock = await acquireAnalysisLock(stateDir);
    await lock.release();
    await lock.release();
  }
  expect(await readdir(stateDir)).toEqual(['analysis-3.lock']);
});

test('who comes after a holder that released has nothing to clean up; the very first may', async () => {
  const first = await acquireAnalysisLock(stateDir);
  expect(first.afterCrash).toBe(true);
  await first.release();
  const second = await acquireAnalysisLock(stateDir);
  expect(second.afterCrash).toBe(false);
  const waiting = acquireAnalysisLock(stateDir, { pollMs: 10 });
  await second.release();
  const third = await waiting;
  expect(third.afterCrash).toBe(false);
  await third.release();
});

test('waiting ends with the reason of the signal, and the lock stays with its holder', async () => {
  const lock = await acquireAnalysisLock(stateDir);
  const stop = new AbortController();
  const waiting = acquireAnalysisLock(stateDir, {
    signal: stop.signal,
    onWait: () => stop.abort(new Error('enough')),
  });
  await expect(waiting).rejects.toThrow('enough');
  expect(await readdir(stateDir)).toEqual(['analysis-1.lock']);
  await lock.release();
});

test('a state folder that cannot be made is an error that names it', async () => {
  await writeFile(join(stateDir, '..', 'file'), '');
  const inside = join(stateDir, '..', 'file', 'state');
  await expect(acquireAnalysisLock(inside)).rejects.toMatchObject({
    kind: 'disk',
    message: expect.stringContaining(inside),
  });
});

describe('a lock left behind', () => {
  async function leave(text: string): Promise<void> {
    const lock = await acquireAnalysisLock(stateDir);
    await lock.release();
    await writeFile(join(stateDir, 'analysis-1.lock'), text);
  }
  const quick = { pollMs: 10, silenceMs: 300, signal: AbortSignal.timeout(20_000) };

  test('by a process whose pid now belongs to another is taken at once', async () => {
    await leave(JSON.stringify({ ...(await identifyThisProcess()), started: '1' }));
    const lock = await acquireAnalysisLock(stateDir, {
      onWait: () => expect.unreachable('it was waited for'),
    });
    expect(lock.afterCrash).toBe(true);
    await lock.release();
  });

  test.each([
    ['on another machine', JSON.stringify({ pid: 1, place: 'elsewhere', started: '1' })],
    ['before it was written', ''],
    ['with nonsense in it', '{"pid":-1}'],
  ])('%s is taken once it has been silent long enough', async (_where, text) => {
    await leave(text);
    let waited = false;
    const start = performance.now();
    const lock = await acquireAnalysisLock(stateDir, {
      ...quick,
      onWait: () => {
        waited = true;
      },
    });
    expect(waited).toBe(true);
    expect(performance.now() - start).toBeGreaterThanOrEqual(300);
    expect(lock.afterCrash).toBe(true);
    await lock.release();
  });

  test('on another machine is respected while that one gives signs of life', async () => {
    await leave(JSON.stringify({ pid: 1, place: 'elsewhere', started: '1' }));
    const beat = setInterval(() => {
      void utimes(join(stateDir, 'analysis-1.lock'), new Date(), new Date());
    }, 20);
    const waiting = acquireAnalysisLock(stateDir, { ...quick, signal: AbortSignal.timeout(900) });
    await expect(waiting).rejects.toThrow('timeout');
    clearInterval(beat);
  });
});

test('a holder gives signs of life', async () => {
  const lock = await acquireAnalysisLock(stateDir, { heartbeatMs: 20 });
  const path = join(stateDir, 'analysis-1.lock');
  const { mtimeMs } = await stat(path);
  await expect.poll(async () => (await stat(path)).mtimeMs).toBeGreaterThan(mtimeMs);
  await lock.release();
});
