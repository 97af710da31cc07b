import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openResultsStore } from '../../src/store/results-store.js';
import { readStateMarker } from '../../src/store/state.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { outputBelow } from '../support/output-below.js';
import { collectOwn } from '../support/published.js';
import { findChanges, folderOfPod, takeSnapshot } from '../support/snapshot.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { startTestRuns, type TestRuns } from '../support/test-runs.js';

const run = promisify(execFile);
const server = sharedSolidServer();
let disk: string;
let analyser: InitialisedPod;
let alice: InitialisedPod;
let runs: TestRuns;
/** Of the pictures that are drawn. */
let pictureBytes = 100;

/** A disk of its own takes rights that few accounts have. */
const canMount = await mountDisk().then(
  async (path) => {
    await unmount(path);
    return true;
  },
  () => false,
);

async function mountDisk(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'bp-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', path]);
  } catch (error) {
    await rm(path, { recursive: true });
    throw error;
  }
  return path;
}

async function unmount(path: string): Promise<void> {
  await run('umount', [path]);
  await rm(path, { recursive: true });
}

describe.runIf(canMount)('a disk that takes nothing more', () => {
  beforeAll(async () => {
    disk = await mountDisk();
    analyser = await createInitialisedPod(server);
    alice = await createContributor(server, analyser, weekly([120, 80, 60]));
    const output = outputBelow(disk);
    const drawChart = () => Promise.resolve(Buffer.alloc(pictureBytes));
    runs = await startTestRuns(server, analyser, { output }, { tools: { drawChart } });
    expect(await runs.ask(alice)).toMatchObject({ status: 'COMPLETED', published: true });
  }, 120_000);
  afterAll(() => unmount(disk));

  /** The analysis fails with the reason, no Pod changes, and what is on the disk is whole. */
  async function expectRefusal(message: RegExp): Promise<void> {
    const folders = [analyser, alice].map(({ pod }) => folderOfPod(pod.root));
    const before = await Promise.all(folders.map(takeSnapshot));
    await expect(runs.ask(alice)).rejects.toMatchObject({
      kind: 'disk',
      message: expect.stringMatching(message),
    });
    const after = await Promise.all(folders.map(takeSnapshot));
    expect(before.map((one, index) => findChanges(one, after[index] ?? {}))).toEqual([[], []]);
    // The document of the run, which comes first, may have had room.
    const latest = await openResultsStore(join(disk, 'results')).readLatest();
    expect(latest).toMatchObject({ state: 'found' });
    expect(await readStateMarker(join(disk, 'state'))).not.toBeNull();
  }

  async function expectWhole(): Promise<void> {
    const report = await runs.ask(alice);
    expect(report).toMatchObject({ status: 'COMPLETED', published: true });
    expect((await collectOwn(analyser, alice)).generated_at).toBe(report.generated_at);
    expect(await readStateMarker(join(disk, 'state'))).toMatchObject({ running: null });
  }

  test('full in the middle of a run: nothing is published without its record', async () => {
    pictureBytes = 200_000;
    await expectRefusal(/The disk is full/);
    pictureBytes = 100;
    await expectWhole();
  });

  test('read-only', async () => {
    await run('mount', ['-o', 'remount,ro', disk]);
    await expectRefusal(/read-only/);
    await run('mount', ['-o', 'remount,rw', disk]);
    await expectWhole();
  });
});
