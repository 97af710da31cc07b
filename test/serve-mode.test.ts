import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { startCommand } from './support/child-process.js';
import { runMode } from './support/command-line.js';

let folder = '';
let child: ChildProcess | null = null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'serve-mode-'));
});

afterEach(async () => {
  child?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** No credentials and no security key anywhere: the API must not need them. */
async function serve(config: string) {
  const path = join(folder, 'config.yaml');
  await writeFile(path, config);
  const started = startCommand(['serve'], { env: { APP_ANALYSER_CONFIG: path } });
  child = started;
  started.stdout.resume();
  let said = '';
  started.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  return { process: started, said: () => said };
}

test('the mode serves without credentials, writes nothing, and ends well on SIGTERM', async () => {
  const { process: server, said } = await serve('api:\n  port: 0\n');
  let address: string | undefined;
  while (address === undefined) {
    await Promise.race([once(server.stderr, 'data'), once(server, 'exit')]);
    expect(server.exitCode, said()).toBeNull();
    address = /http:\/\/127\.0\.0\.1:\d+/.exec(said())?.[0];
  }
  const health = await fetch(`${address}/health`);
  expect(health.status).toBe(200);
  expect(await health.json()).toMatchObject({ status: 'ok', has_results: false });
  expect((await fetch(`${address}/`)).status).toBe(200);
  server.kill('SIGTERM');
  expect(await once(server, 'exit')).toEqual([0, null]);
  expect(await readdir(folder)).toEqual(['config.yaml']);
});

test.each([
  ['switched off', () => 'enabled: false', 2, 'api.enabled'],
  // As no version can hide who is who.
  ['with names that are to be hidden', () => 'names: false', 2, 'config.yaml:2: api.names'],
  ['on a port that is taken', (port: number) => `port: ${port}`, 1, '127.0.0.1:'],
])('%s the mode does not start, and says why', async (_, line, code, said) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = z.object({ port: z.number() }).parse(other.address());
  await writeFile(join(folder, 'config.yaml'), `api:\n  ${line(port)}\n`);
  expect(await runMode(['serve'], { cwd: folder })).toMatchObject({
    code,
    err: expect.stringContaining(said),
  });
  other.close();
});
