import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, inject, onTestFinished, test } from 'vitest';
import { readLines } from '../grpc/child-service.js';
import { startCommand, waitForEnd } from '../support/child-process.js';
import { newFolder } from '../support/temp-folder.js';

/** The demo as a person sees it: a process of its own, and commands pasted in another terminal. */
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = await newFolder();

/** The line as it was printed, with the sources in the place of what is built from them. */
async function paste(line: string, configFile: string): Promise<string> {
  const node = [process.execPath, inject('compiledMain')].map((word) => `'${word}'`).join(' ');
  const command = line.trim().replace(/^\S*run\.sh/, node);
  const env = { ...process.env, APP_ANALYSER_CONFIG: configFile };
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  const { code, out, err } = await waitForEnd(spawn('bash', ['-c', command], { env, stdio }));
  expect(code, `${line}\n${out}${err}`).toBe(0);
  return `${out}${err}`;
}

test('shows an analysis, each printed command works as it is, and Ctrl-C removes everything', {
  timeout: 900_000,
}, async () => {
  const child = startCommand(['demo'], { cwd: root, env: { ...process.env, TMPDIR: folder } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exit = once(child, 'exit');
  const { lines, find } = readLines(child.stdout);
  const { lines: errors } = readLines(child.stderr);
  await find('Up until Ctrl-C').catch(() => expect.fail([...lines, ...errors].join('\n')));
  const out = lines.join('\n');
  expect(out).toContain('6 people have a Pod with a year of readings, encrypted');
  // Seeded readings: the same figures on every machine and every day.
  expect(out).toMatch(/^your average +134\.4 +86\.9 +76\.0$/m);
  expect(out).toMatch(/^cohort average +127\.5 +81\.5 +69\.2$/m);
  expect(out).toMatch(/^home average +131\.4 +85\.4 +77\.0$/m);
  expect(out).toContain('65 readings of yours, 6 Pods in the cohort');
  expect(out).toContain('The analysis covers 65 of the 65 readings.');
  const configFile = /export APP_ANALYSER_CONFIG=(\S+)/.exec(out)?.[1] ?? '';
  expect(existsSync(configFile)).toBe(true);
  const dashboard = /^Dashboard +(\S+)$/m.exec(out)?.[1] ?? '';
  expect((await fetch(`${dashboard}/api/summary`)).status).toBe(200);
  const commands = lines.filter((line) => /^ {2}\S*run\.sh /.test(line));
  expect(commands).toHaveLength(3);
  const [analyse = '', revoke = '', check = ''] = commands;
  expect(await paste(analyse, configFile)).toContain('6 Pods in the cohort');
  await paste(revoke, configFile);
  // Without carla.
  expect(await paste(analyse, configFile)).toContain('5 Pods in the cohort');
  await paste(check, configFile);
  child.kill('SIGINT');
  expect((await exit)[0]).toBe(0);
  expect((await readdir(folder)).filter((name) => name.startsWith('bp-'))).toEqual([]);
});
