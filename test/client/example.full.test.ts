import { execFile, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSettings } from '../../src/cli/app/settings-file.js';
import { type AnalyserService, startAnalyserService } from '../support/analyser-service.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { folderForAll } from '../support/temp-folder.js';

const server = sharedSolidServer();
let analyser: InitialisedPod;
let alice: InitialisedPod;
let service: AnalyserService;
const folder = folderForAll();

beforeAll(async () => {
  [analyser, alice] = await Promise.all([
    createInitialisedPod(server),
    createInitialisedPod(server),
  ]);
  service = await startAnalyserService(server, analyser);
});
afterAll(async () => {
  await service.stop();
  await Promise.all([alice.close(), analyser.close()]);
});

async function codeBlocks(page: string, language: string): Promise<string[]> {
  const text = await readFile(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  const fence = '```';
  return [...text.matchAll(new RegExp(`${fence}${language}\\n(.*?)${fence}`, 'gs'))].map(
    ([, code = '']) => code,
  );
}

/** Debian's own Python is the one that Debian's packages are for. */
const python = '/usr/bin/python3';
const hasGrpc = spawnSync(python, ['-c', 'import grpc, grpc_tools']).status === 0;

test.skipIf(!hasGrpc)('the Python of docs/app-developers.md makes the three calls', async () => {
  const run = promisify(execFile);
  const [code = ''] = await codeBlocks('app-developers.md', 'python');
  await writeFile(join(folder(), 'call.py'), code);
  const contract = fileURLToPath(new URL('../../proto', import.meta.url));
  const generate = ['-m', 'grpc_tools.protoc', '-I', contract];
  const output = ['--python_out=.', '--grpc_python_out=.', 'healthpod/analyser/v1/analyser.proto'];
  await run(python, [...generate, ...output], { cwd: folder() });
  const { webId } = alice.pod;
  const { stdout } = await run(python, ['call.py', `127.0.0.1:${service.port}`, webId, ''], {
    cwd: folder(),
  });
  expect(stdout.split('\n')).toEqual([
    `ready ${analyser.pod.webId}`,
    'ANALYSE_STATUS_NO_DATA You have not shared any readings with the Analyser.',
    'CANCEL_STATUS_NOTHING_RUNNING',
    'True',
    '',
  ]);
});

test('the settings file of docs/own-readings.md has keys that are known', async () => {
  const [settings = ''] = await codeBlocks('own-readings.md', 'yaml');
  await writeFile(join(folder(), 'app.yaml'), settings);
  const found = await readSettings({ cwd: folder(), env: {} }, {});
  expect(found.settings).toMatchObject(parse(settings));
});
