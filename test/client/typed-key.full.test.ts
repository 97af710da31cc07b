import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { sharedSolidServer, uniquePodName } from '../support/solid-server.js';

/** `script` of util-linux gives a mode the terminal that its questions need. */
const hasTerminals = spawnSync('script', ['--version']).status === 0;

test.skipIf(!hasTerminals)('a security key that is too short is not asked for again', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'bp-typed-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const name = uniquePodName('typed');
  const args = ['--server', sharedSolidServer().baseUrl, '--email', `${name}@people.example`];
  const mode = [process.execPath, inject('compiledMain'), 'setup', ...args, '--pod', name];
  const child = spawn('script', ['-qefc', mode.join(' '), '/dev/null'], {
    cwd,
    env: { PATH: process.env['PATH'], APP_SETUP_PASSWORD: `password of ${name}` },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => stop(child));
  let shown = '';
  let answered = false;
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
    if (shown.includes('A security key for the new Pod') && !answered) {
      answered = true;
      child.stdin.write('short\r');
    }
    // Where it is asked for again after all.
    if (shown.includes('The same again')) child.stdin.write('short\r');
  });
  await once(child, 'close');
  expect(shown).toContain('The security key is shorter than 10 characters.');
  expect(shown).not.toContain('The same again');
  expect(child.exitCode).toBe(2);
});

function stop(child: ChildProcess): void {
  if (child.exitCode === null) child.kill();
}
