import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSettingsFile } from '../../src/cli/app/settings-file.js';
import type { OwnPodSettings } from '../../src/client/client.js';
import { type AnalyserService, startAnalyserService } from '../support/analyser-service.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { recordAndAnalyse } from './example.js';

const server = sharedSolidServer();
const page = new URL('../../docs/app-developers.md', import.meta.url);
let analyser: InitialisedPod;
let alice: InitialisedPod;
let service: AnalyserService;
let folder: string;

beforeAll(async () => {
  [analyser, alice] = await Promise.all([
    createInitialisedPod(server),
    createInitialisedPod(server),
  ]);
  service = await startAnalyserService(server, analyser);
  folder = await mkdtemp(join(tmpdir(), 'bp-example-'));
});
afterAll(async () => {
  await service.stop();
  await Promise.all([alice.close(), analyser.close()]);
  await rm(folder, { recursive: true });
});

async function codeBlocks(language: string): Promise<string[]> {
  const text = await readFile(page, 'utf8');
  const fence = '```';
  return [...text.matchAll(new RegExp(`${fence}${language}\\n(.*?)${fence}`, 'gs'))].map(
    ([, code = '']) => code,
  );
}

test('the example of docs/app-developers.md is the one that is compiled here', async () => {
  const source = await readFile(new URL('./example.ts', import.meta.url), 'utf8');
  const expected = source.replace('../../src/client/client.js', 'bp-analyser/client');
  expect(await codeBlocks('ts')).toContain(expected);
});

test('the settings file of docs/app-developers.md has keys that are known', async () => {
  const [settings = ''] = await codeBlocks('yaml');
  await writeFile(join(folder, 'app.yaml'), settings);
  const found = await readSettingsFile(folder, undefined);
  expect(found.settings).toMatchObject(parse(settings));
});

test('the example records, shares, and ends with the figures', async () => {
  const { webId, clientId, clientSecret } = alice.account;
  const { securityKey } = alice;
  const settings: OwnPodSettings = { webId, securityKey, credentials: { clientId, clientSecret } };
  const chartFile = join(folder, 'chart.png');
  const { signal } = new AbortController();
  const shown = await recordAndAnalyse(settings, service.analyser, chartFile, signal);
  expect(shown).toBe('Systolic 118 mm Hg');
  expect((await readFile(chartFile)).subarray(1, 4).toString()).toBe('PNG');
});
