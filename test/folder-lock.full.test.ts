import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { acquireLock } from '../src/store/folder-lock.js';
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
  const said: string[] = [];
  const lines = createInterface(child.stdout);
  lines.on('line', (line) => said.push(line));
  async function says(wanted: string): Promise<void> {
    while (!said.includes(wanted)) await once(lines, 'line');
  }
  return { child, says };
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

test('a process that is only paused keeps its lock', async () => {
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

test('of eight processes that fight over a lock no two hold it together, also when one is killed', async () => {
  const journal = join(stateDir(), 'journal');
  const row = join(stateDir(), 'row');
  const holder = start('hold', row);
  await holder.says('held');
  const rivals = Array.from({ length: 8 }, () => start('rounds', row, journal, '10'));
  const ends = rivals.map(({ child }) => once(child, 'exit'));
  await Promise.all(rivals.map((rival) => rival.says('ready')));
  // All of them wait for this one.
  holder.child.kill('SIGKILL');
  const [victim] = rivals;
  while (!(await readJournal(journal)).includes(`out ${victim?.child.pid}`)) {
    await new Promise(setImmediate);
  }
  victim?.child.kill('SIGKILL');
  await Promise.all(ends);

  let inside: string | undefined;
  for (const entry of await readJournal(journal)) {
    const [what, pid] = entry.split(' ');
    if (what === 'in') {
      // Only the killed process may have left without a word.
      if (inside !== undefined) expect(inside).toBe(String(victim?.child.pid));
      inside = pid;
    } else {
      expect(pid).toBe(inside);
      inside = undefined;
    }
  }
  const outs = (await readJournal(journal)).filter((entry) => entry.startsWith('out'));
  expect(outs.length).toBeGreaterThanOrEqual(7 * 10);
  expect(await readdir(row)).toEqual(['analysis.lock']);
});

test('whoever looks at the state meanwhile does not pass for a holder', async () => {
  const lookers = [start('look', stateDir()), start('look', stateDir())];
  await Promise.all(lookers.map((looker) => looker.says('ready')));
  for (let round = 0; round < 3_000; round++) {
    const lock = await acquireLock(stateDir(), 'analysis', { refuse: () => new Error('refused') });
    await lock.unlock();
  }
});

async function readJournal(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}
