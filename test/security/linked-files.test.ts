import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HttpApi } from '../../src/http/start-http-api.js';
import { openChartStore } from '../../src/store/chart-store.js';
import { openResultsStore } from '../../src/store/results-store.js';
import { startApi } from '../support/api-client.js';
import { samplePicture } from '../support/chart-sample.js';
import { outputBelow } from '../support/output-below.js';
import { sampleResults } from '../support/results-sample.js';
import { folderForEach } from '../support/temp-folder.js';

/** Whoever can put a link into the output folders has the account of the HTTP API read any file. */
const alice = 'pods.example.org-alice';
const run = '20260819T091500Z';
const root = folderForEach();
let api: HttpApi;
let output: ReturnType<typeof outputBelow>;

beforeEach(async () => {
  output = outputBelow(root());
  await openResultsStore(output.results_dir).write(sampleResults(run, [alice]));
  await openChartStore(output).write(alice, samplePicture());
  api = await startApi(output);
});
afterEach(() => api.stop());

const statusOf = async (path: string) => (await fetch(new URL(path, api.address))).status;

async function replaceByLink(path: string, content: string | Buffer): Promise<void> {
  await mkdir(join(root(), 'elsewhere'), { recursive: true });
  const target = join(root(), 'elsewhere', 'file');
  await writeFile(target, content);
  await rm(path);
  await symlink(target, path);
}

test('a link in the place of a picture is no picture, whatever it leads to', async () => {
  expect(await statusOf(`/api/pods/${alice}/chart.png`)).toBe(200);
  await replaceByLink(join(output.charts_dir, `${alice}.png`), samplePicture());
  expect(await statusOf(`/api/pods/${alice}/chart.png`)).toBe(404);
});

test('what is not a picture is not sent as one', async () => {
  await writeFile(join(output.charts_dir, `${alice}.png`), 'root:x:0:0:root:/root:/bin/bash');
  expect(await statusOf(`/api/pods/${alice}/chart.png`)).toBe(404);
});

test('a link in the place of a run is none', async () => {
  expect(await statusOf(`/api/runs/${run}`)).toBe(200);
  const stored = JSON.stringify(sampleResults(run, [alice]));
  await replaceByLink(join(output.results_dir, `run-${run}.json`), stored);
  expect(await statusOf(`/api/runs/${run}`)).toBe(404);

  expect(await statusOf('/api/cohort')).toBe(200);
  await replaceByLink(join(output.results_dir, 'latest.json'), stored);
  expect(await statusOf('/api/cohort')).toBe(503);
});
