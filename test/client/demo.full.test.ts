import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';

/** The demo as a person sees it: a process of its own, and commands pasted in another terminal. */
const root = fileURLToPath(new URL('../../', import.meta.url));
const limit = { timeout: 900_000 };
let folder: string;
let running: ChildProcess | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bp-demo-test-'));
});
afterEach(() => running?.kill('SIGKILL'));
afterAll(() => rm(folder, { recursive: true }));

function start(...args: string[]) {
  const env = { ...process.env, TMPDIR: folder };
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  const child = spawn(process.execPath, [inject('compiledMain'), 'demo', ...args], {
    cwd: root,
    env,
    stdio,
  });
  running = child;
  return child;
}

/** Everything on stdout until the text turns up. */
async function readUntil(
  { stdout, stderr }: { stdout: Readable; stderr: Readable },
  end: string,
): Promise<string> {
  let [seen, complaints] = ['', ''];
  stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  for await (const chunk of stdout) {
    seen += String(chunk);
    if (seen.includes(end)) return seen;
  }
  throw new Error(`The demo ended early:\n${seen}\n${complaints}`);
}

/** The line as it was printed, with the sources in the place of what is built from them. */
async function paste(line: string, configFile: string): Promise<{ code: number; out: string }> {
  const node = [process.execPath, inject('compiledMain')].map((word) => `'${word}'`).join(' ');
  const command = line.trim().replace(/^\S*run\.sh/, node);
  const env = { ...process.env, APP_ANALYSER_CONFIG: configFile };
  const child = spawn('bash', ['-c', command], { cwd: root, env });
  const exit = once(child, 'exit');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await exit;
  return { code: Number(code), out: `${out}${err}` };
}

/** Of ours. */
async function leftovers(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.startsWith('bp-'));
}

test(
  'shows an analysis, each printed command works as it is, and Ctrl-C removes everything',
  limit,
  async () => {
    const child = start();
    const exit = once(child, 'exit');
    const out = await readUntil(child, 'Up until Ctrl-C');
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
    const commands = out.split('\n').filter((line) => /^ {2}\S*run\.sh /.test(line));
    expect(commands).toHaveLength(3);
    const [analyse = '', revoke = '', check = ''] = commands;
    const shown: string[] = [];
    for (const line of [analyse, revoke, analyse, check]) {
      const { code, out } = await paste(line, configFile);
      expect(code, `${line}\n${out}`).toBe(0);
      shown.push(out);
    }
    expect(shown[0]).toContain('6 Pods in the cohort');
    // Without carla.
    expect(shown[2]).toContain('5 Pods in the cohort');
    child.kill('SIGINT');
    expect((await exit)[0]).toBe(0);
    expect(await leftovers()).toEqual([]);
  },
);
