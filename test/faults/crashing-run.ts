import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject } from 'vitest';
import {
  type PodAverageDocument,
  podAverageSchema,
} from '../../src/documents/published-document.js';
import { openResultsStore } from '../../src/store/results-store.js';
import { readStateMarker } from '../../src/store/state.js';
import { analyserEnv } from '../support/app-env.js';
import { type ChildResult, startNode, waitForEnd } from '../support/child-process.js';
import { runMode } from '../support/command-line.js';
import type { InitialisedPod } from '../support/initialised-pod.js';
import { readHeld } from '../support/open-with-key.js';
import { ownResultAddress } from '../support/published.js';
import { newFolder } from '../support/temp-folder.js';

const dieAtWrite = fileURLToPath(new URL('./die-at-write.mjs', import.meta.url));

/** A mode in a process that `env` has killed at a write, or list them. */
export function runDying(
  args: readonly string[],
  place: { cwd: string; env: Record<string, string> },
): Promise<ChildResult> {
  return waitForEnd(startNode(['--import', dieAtWrite, inject('compiledMain'), ...args], place));
}

interface Scene {
  server: { baseUrl: string };
  analyser: InitialisedPod;
  reader: InitialisedPod;
  /**
   * Each run makes everything anew and releases a figure of the cohort with noise, or there is a
   * result that the reader holds the key of.
   */
  isFirst: boolean;
}

interface Crashes extends Scene {
  /** Below it a folder for each var/. */
  folder: string;
  /** Of the earlier result. */
  heldKey?: Buffer;
}

/** Answers at which writes runs were killed, and after how many of them the reader could open a result. */
export async function crashAtEachWrite(scene: Scene, isChosen: (write: string) => boolean) {
  const folder = await newFolder();
  const crashes = await prepareCrashes({ ...scene, folder });
  const writes = (await listWrites(crashes)).filter(isChosen);
  let withResult = 0;
  for (const [index, write] of writes.entries()) {
    if ((await crashAndRecover(crashes, write, index + 1)) === 'result') withResult += 1;
  }
  return { writes, withResult };
}

/** Of a run that ends well. */
async function listWrites(crashes: Crashes): Promise<string[]> {
  const place = await preparePlace(crashes, 0);
  const file = join(place.cwd, 'writes');
  const { code, err } = await runWith(crashes, place, { LIST_WRITES: file });
  expect(code, err).toBe(0);
  return (await readFile(file, 'utf8')).trim().split('\n');
}

async function prepareCrashes(crashes: Crashes): Promise<Crashes> {
  if (crashes.isFirst) return crashes;
  const place = await preparePlace(crashes, 0);
  await runAgain(crashes, place);
  return { ...crashes, heldKey: (await readResult(crashes, place)).key };
}

/** What the reader could open then. */
type LeftBehind = 'nothing' | 'result';

/**
 * A run that is killed at a write, and the next one in the same var/: nothing half
 * written is ever taken for whole, no release is made twice, and the next run needs no help.
 */
async function crashAndRecover(
  crashes: Crashes,
  write: string,
  number: number,
): Promise<LeftBehind> {
  const { isFirst, heldKey } = crashes;
  const place = await preparePlace(crashes, isFirst ? number : 0);
  if (isFirst) await forgetEverything(crashes);
  const crash = await runWith(crashes, place, { DIE_AT_WRITE: write });
  expect(crash.signal, `${write}\n${crash.err}`).toBe('SIGKILL');
  await expectWholeFiles(place.cwd);
  const seen = await readResult(crashes, place, heldKey).catch((error: unknown) => {
    if (isFirst) return null;
    throw error;
  });
  const left = await readStateMarker(join(place.cwd, 'var/state'));

  await runAgain(crashes, place);
  await expectWholeFiles(place.cwd);
  const marker = await readStateMarker(join(place.cwd, 'var/state'));
  expect(marker).toMatchObject({ running: null, last_run: { status: 'COMPLETED' } });
  // A marker that the killed run left behind is of an earlier start.
  if (left?.running)
    expect(left.running.started_at < (marker?.last_run?.started_at ?? '')).toBe(true);
  const files = await readdir(join(place.cwd, 'var'), { recursive: true });
  expect(files.filter((name) => name.endsWith('.tmp'))).toEqual([]);
  expect(files.filter((name) => name.endsWith('.lock'))).toHaveLength(1);

  const latest = await openResultsStore(join(place.cwd, 'var/results')).readLatest();
  const { key, generated_at, cohort } = await readResult(crashes, place);
  expect(latest).toMatchObject({ state: 'found', document: { generated_at } });
  if (heldKey !== undefined) expect(key).toEqual(heldKey);
  if (isFirst) {
    const { average_of_averages } = cohort;
    expect(average_of_averages.systolic).toEqual(expect.any(Number));
    expect(latest).toMatchObject({
      document: { sharing: { cohort_release: { average_of_averages, withheld: null } } },
    });
    if (seen !== null) expect(average_of_averages).toEqual(seen.cohort.average_of_averages);
  }
  return seen === null ? 'nothing' : 'result';
}

interface Place {
  cwd: string;
  resultsDir: string;
}

/** So much noise that two draws are hardly ever the same, and one release for all runs. */
const release =
  '  cohort_release:\n' +
  '    {epsilon: 0.5, every_days: 3650, budget: 1.5,\n' +
  '     bounds: {systolic: [0, 1000], diastolic: [0, 1000], heart_rate: [0, 1000]}}\n';

/** A var/ and a folder for what is published, of the same number. */
async function preparePlace(crashes: Crashes, number: number): Promise<Place> {
  const { folder, server, analyser, isFirst } = crashes;
  const place = { cwd: join(folder, String(number)), resultsDir: `results-${number}` };
  await mkdir(place.cwd, { recursive: true });
  const { webId, appDir } = analyser.pod;
  await writeFile(
    join(place.cwd, 'config.yaml'),
    `analyser: {web_id: "${webId}", server_url: "${server.baseUrl}", app_dir_name: ${appDir}}\n` +
      `sharing:\n  results_dir: ${place.resultsDir}\n${isFirst ? release : ''}` +
      'output: {render_charts: false}\n',
    { mode: 0o600 },
  );
  return place;
}

/** As before the first share of anybody, and as if nothing had ever been released. */
async function forgetEverything({ analyser, reader }: Crashes): Promise<void> {
  const remove = { method: 'DELETE' } as const;
  await reader.client.request(reader.pod.documents.sharedKeys, remove);
  await analyser.client.request(`${analyser.pod.documents.app}analyser/memory.txt`, remove);
}

function runWith({ analyser }: Scene, { cwd }: Place, env: Record<string, string>) {
  return runDying(['run-once'], { cwd, env: { ...analyserEnv(analyser), ...env } });
}

/** In this process: what a killed one leaves behind is in var/ and in the Pods. */
async function runAgain({ analyser }: Scene, { cwd }: Place): Promise<void> {
  const { code, err } = await runMode(['run-once'], { cwd, env: analyserEnv(analyser) });
  expect(code, err).toBe(0);
}

async function readResult(
  { analyser, reader }: Scene,
  { resultsDir }: Place,
  heldKey?: Buffer,
): Promise<PodAverageDocument & { key: Buffer }> {
  const url = ownResultAddress(analyser, reader, resultsDir);
  const { text, key } = await readHeld(reader, url, heldKey);
  return { ...podAverageSchema.parse(JSON.parse(text)), key };
}

async function expectWholeFiles(folder: string): Promise<void> {
  const store = openResultsStore(join(folder, 'var/results'));
  expect(['found', 'absent']).toContain((await store.readLatest()).state);
  for (const run of await store.listRuns()) expect((await store.readRun(run)).state).toBe('found');
  expect(await readStateMarker(join(folder, 'var/state'))).not.toBeNull();
}
