import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { acquireLock } from '../src/store/folder-lock.js';
import { readLines } from './grpc/child-service.js';
import { folderForEach } from './support/temp-folder.js';

const script = fileURLToPath(new URL('./support/lock-child.ts', import.meta.url));

const stateDir = folderForEach();
const children: ChildProcessByStdio<Writable, Readable, null>[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function start(...args: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  return { child, says: readLines(child.stdout).find };
}

test('the lock of a process that was killed is free within two seconds', async () => {
  const holder = start('hold', stateDir());
  await holder.says('held');
  let waited = () => {};
  const waiting = new Promise<void>((resolve) => {
    waited = resolve;
  });
  const lock = acquireLock(stateDir(), 'analysis', { onWait: waited });
  await waiting;
  const killedAt = performance.now();
  holder.child.kill('SIGKILL');
  await (await lock).unlock();
  expect(performance.now() - killedAt).toBeLessThan(2_000);
});

test('[0.5] a process that is only paused keeps its lock', async () => {
  const holder = start('hold', stateDir());
  await holder.says('held');
  holder.child.kill('SIGSTOP');
  const late = AbortSignal.timeout(5_000);
  await expect(acquireLock(stateDir(), 'analysis', { signal: late })).rejects.toThrow('timeout');
  holder.child.kill('SIGCONT');
  holder.child.stdin.write('end\n');
  await once(holder.child, 'exit');
  await (await acquireLock(stateDir(), 'analysis')).unlock();
});

test('whoever looks at the state meanwhile does not pass for a holder', async () => {
  const lookers = [start('look', stateDir()), start('look', stateDir())];
  await Promise.all(lookers.map((looker) => looker.says('ready')));
  for (let round = 0; round < 3_000; round++) {
    const lock = await acquireLock(stateDir(), 'analysis', { refuse: () => new Error('refused') });
    await lock.unlock();
  }
});
