import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, inject, test } from 'vitest';

/** What demo.full.test.ts shows of a demo that stays up is the same here. */
test('demo --once ends with 0 after its analysis, and leaves nothing behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bp-demo-test-'));
  const child = spawn(process.execPath, [inject('compiledMain'), 'demo', '--once'], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const out = await text(child.stdout);
  expect((await exit)[0]).toBe(0);
  expect(out).toContain('The analysis covers 65 of the 65 readings.');
  expect(out).toContain('Everything is removed now.');
  expect((await readdir(folder)).filter((name) => name.startsWith('bp-'))).toEqual([]);
  await rm(folder, { recursive: true });
}, 900_000);
