import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readLines } from './grpc/child-service.js';
import { startCommand } from './support/child-process.js';
import { runMode } from './support/command-line.js';
import { listen } from './support/listen.js';
import { folderForEach } from './support/temp-folder.js';

const folder = folderForEach();
test('the mode serves without credentials, writes nothing, and ends well on SIGTERM', async () => {
  const path = join(folder(), 'config.yaml');
  // No credentials and no security key anywhere: the API must not need them.
  await writeFile(path, 'api:\n  port: 0\n');
  const server = startCommand(['serve'], { env: { APP_ANALYSER_CONFIG: path } });
  onTestFinished(() => void server.kill('SIGKILL'));
  server.stdout.resume();
  const { find } = readLines(server.stderr);
  const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(await find('http://127.0.0.1:')) ?? [];
  const health = await fetch(`${address}/health`);
  expect(health.status).toBe(200);
  expect(await health.json()).toMatchObject({ status: 'ok', has_results: false });
  expect((await fetch(`${address}/`)).status).toBe(200);
  server.kill('SIGTERM');
  expect(await once(server, 'exit')).toEqual([0, null]);
  expect(await readdir(folder())).toEqual(['config.yaml']);
});

test.each([
  ['switched off', () => 'enabled: false', 2, 'api.enabled'],
  // As no version can hide who is who.
  [
    'with names that are to be hidden',
    () => 'names: false',
    2,
    'config.yaml:2: api: expected one of the keys',
  ],
  ['on a port that is taken', (port: number) => `port: ${port}`, 1, '127.0.0.1:'],
])('%s the mode does not start, and says why', async (_, line, code, said) => {
  const other = createServer();
  await writeFile(join(folder(), 'config.yaml'), `api:\n  ${line(await listen(other))}\n`);
  expect(await runMode(['serve'], { cwd: folder() })).toMatchObject({
    code,
    err: expect.stringContaining(said),
  });
  other.close();
});
