import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject } from 'vitest';
import { podAverageSchema } from '../../src/documents/published-document.js';
import { readSharedWithMe } from '../../src/pod/sharing/read-shared-with-me.js';
import { openResultsStore } from '../../src/store/results-store.js';
import { readStateMarker } from '../../src/store/state-marker.js';
import { startNode, waitForEnd } from '../support/child-process.js';
import type { InitialisedPod } from '../support/initialised-pod.js';
import { ownResultAddress } from '../support/published.js';

const dieAtWrite = fileURLToPath(new URL('./die-at-write.mjs', import.meta.url));

interface Scene {
  server: { baseUrl: string };
  analyser: InitialisedPod;
  reader: InitialisedPod;
  /** Each run makes everything anew, or there is a result that the reader holds the key of. */
  isFirst: boolean;
}

export interface Crashes extends Scene {
  /** Below it a folder for each var/. */
  folder: string;
  /** Of the earlier result. */
  heldKey: Buffer | undefined;
  remove(): Promise<void>;
}

export async function prepareCrashes(scene: Scene): Promise<Crashes> {
  const folder = await mkdtemp(join(tmpdir(), 'bp-crash-'));
  const remove = () => rm(folder, { recursive: true });
  const crashes: Crashes = { ...scene, folder, heldKey: undefined, remove };
  if (scene.isFirst) return crashes;
  const place = await preparePlace(crashes, 0);
  expect(await runOnce(crashes, place, null)).toMatchObject({ code: 0 });
  return { ...crashes, heldKey: (await readResult(crashes, place)).key };
}

/**
 * A run that is killed at its nth write, and the next one in the same var/: nothing half
 * written is ever taken for whole, and the next run needs no help. Answers whether the run got
 * that far; one with fewer writes simply succeeds.
 */
export async function crashAndRecover(crashes: Crashes, write: number): Promise<boolean> {
  const { isFirst, reader, heldKey } = crashes;
  const place = await preparePlace(crashes, isFirst ? write : 0);
  // As before the first share of anybody.
  if (isFirst) await reader.client.request(reader.pod.documents.sharedKeys, { method: 'DELETE' });
  const crash = await runOnce(crashes, place, write);
  if (crash.signal === null) {
    expect(crash.code, crash.err).toBe(0);
    return false;
  }
  expect(crash.signal).toBe('SIGKILL');
  await expectWholeFiles(place.cwd);
  if (heldKey !== undefined) await readResult(crashes, place, heldKey);
  const left = await readStateMarker(join(place.cwd, 'var/state'));

  const next = await runOnce(crashes, place, null);
  expect(next.code, next.err).toBe(0);
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
  const { generated_at, key } = await readResult(crashes, place);
  expect(latest).toMatchObject({ state: 'found', document: { generated_at } });
  if (heldKey !== undefined) expect(key).toEqual(heldKey);
  return true;
}

interface Place {
  cwd: string;
  resultsDir: string;
}

/** A var/ and a folder for what is published, of the same number. */
async function preparePlace(crashes: Crashes, number: number): Promise<Place> {
  const { folder, server, analyser } = crashes;
  const place = { cwd: join(folder, String(number)), resultsDir: `results-${number}` };
  await mkdir(place.cwd, { recursive: true });
  const { webId, appDir } = analyser.pod;
  await writeFile(
    join(place.cwd, 'config.yaml'),
    `analyser: {web_id: "${webId}", server_url: "${server.baseUrl}", app_dir_name: ${appDir}}\n` +
      `sharing: {results_dir: ${place.resultsDir}}\noutput: {render_charts: false}\n`,
    { mode: 0o600 },
  );
  return place;
}

async function runOnce({ analyser }: Scene, { cwd }: Place, diesAt: number | null) {
  const { account, securityKey } = analyser;
  const child = startNode(['--import', dieAtWrite, inject('compiledMain'), 'run-once'], {
    cwd,
    env: {
      APP_ANALYSER_SECURITY_KEY: securityKey,
      APP_ANALYSER_CLIENT_ID: account.clientId,
      APP_ANALYSER_CLIENT_SECRET: account.clientSecret,
      ...(diesAt !== null && { DIE_AT_WRITE: String(diesAt) }),
    },
  });
  return waitForEnd(child);
}

async function readResult(
  { analyser, reader }: Scene,
  { resultsDir }: Place,
  heldKey?: Buffer,
): Promise<{ generated_at: string; key: Buffer }> {
  const url = ownResultAddress(analyser, reader, resultsDir);
  const { text, key } = await readSharedWithMe(reader.client, reader.pod, url, { heldKey });
  return { ...podAverageSchema.parse(JSON.parse(text)), key };
}

async function expectWholeFiles(folder: string): Promise<void> {
  const store = openResultsStore(join(folder, 'var/results'));
  expect(['found', 'absent']).toContain((await store.readLatest()).state);
  for (const run of await store.listRuns()) expect((await store.readRun(run)).state).toBe('found');
  expect(await readStateMarker(join(folder, 'var/state'))).not.toBeNull();
}
