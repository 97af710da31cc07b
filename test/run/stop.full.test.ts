import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { DrawChart } from '../../src/run/publish/draw-picture.js';
import type { HttpSolidClient } from '../../src/solid/solid-client.js';
import { readStateMarker } from '../../src/store/state.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { memoryAddress } from '../support/memory-of.js';
import { collectCohort, collectOwn } from '../support/published.js';
import { type Snapshot, snapshotPods, takeSnapshot } from '../support/snapshot.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { TestControl } from '../support/test-control.js';
import { startTestRuns, type TestRuns } from '../support/test-runs.js';

const server = sharedSolidServer();
let runs: TestRuns;
let control: TestControl;
/** What happens when the analysis sends its nth request; how many of them write so far. */
let onRequest: (count: number, writes: number) => void;
let onDraw: () => void;
/** What gets no answer, but a Cancel. */
let silent: string | null;

const analyser = await createInitialisedPod(server);
const [anna, ben] = await Promise.all([
  createContributor(server, analyser, weekly([120, 80, 60], [130, 90, 70])),
  createContributor(server, analyser, weekly([110, 70, 50])),
]);
const all = [analyser, anna, ben];

beforeEach(async () => {
  control = new TestControl();
  onRequest = () => undefined;
  onDraw = () => undefined;
  silent = null;
  let count = 0;
  let writes = 0;
  const client: HttpSolidClient = {
    ...analyser.client,
    request: (url, options) => {
      count += 1;
      if ((options?.method ?? 'GET') !== 'GET') writes += 1;
      onRequest(count, writes);
      if (url === silent) return untilAborted(options?.signal);
      return analyser.client.request(url, options);
    },
  };
  const drawChart: DrawChart = () => {
    onDraw();
    return Promise.resolve(Buffer.from('a picture'));
  };
  runs = await startTestRuns(server, analyser, {}, { client, tools: { drawChart } });
  const { run } = runs;
  runs.run = (...args) => {
    count = 0;
    writes = 0;
    return run(...args);
  };
});

const untilAborted = (signal: AbortSignal | undefined) =>
  new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('It was aborted.')));
    setImmediate(() => control.cancel('cancel'));
  });

/** Every byte in every Pod, and of the results and the charts. */
async function lookAround(): Promise<Record<string, Snapshot>> {
  const { results_dir, charts_dir } = runs.config.output;
  return {
    ...(await snapshotPods(all)),
    results: await takeSnapshot(results_dir),
    charts: await takeSnapshot(charts_dir),
  };
}

async function expectStoppedWithoutTrace(): Promise<void> {
  const before = await lookAround();
  const run = runs.run({ caller: anna.pod.webId }, control);
  await expect(run).rejects.toMatchObject({
    kind: 'cancelled',
    message: 'The analysis was cancelled.',
  });
  expect(await lookAround()).toEqual(before);
  const marker = await readStateMarker(runs.config.output.state_dir);
  expect(marker?.running).toBeNull();
}

test('[0.4][0.11] a Cancel at any request before the last checkpoint leaves no trace, and later ones no half', async () => {
  // Its own keys, the memory, earlier keys of results as there is no memory yet, the inbox, and three readings.
  for (const nth of [1, 2, 3, 4, 5, 6, 7]) {
    control = new TestControl();
    onRequest = (count) => {
      if (count === nth) expect(control.cancel('cancel')).toBe(true);
    };
    await expectStoppedWithoutTrace();
  }
  const marker = await readStateMarker(runs.config.output.state_dir);
  expect(marker).toMatchObject({
    last_run: null,
    last_cancelled: { finished_at: expect.any(String) },
  });

  // The first, one in the middle and the last of what is written.
  for (const nth of [1, 3, 5]) {
    let written = 0;
    control = new TestControl();
    onRequest = (_count, writes) => {
      if (writes === nth && written < nth) expect(control.cancel('cancel')).toBe(false);
      written = writes;
    };
    const { document } = await runs.run({ caller: anna.pod.webId }, control);
    const instants = [await collectOwn(analyser, anna), await collectCohort(analyser, anna)];
    expect(instants.map(({ generated_at }) => generated_at)).toEqual([
      document.generated_at,
      document.generated_at,
    ]);
    expect(written).toBeGreaterThanOrEqual(nth);
  }
});

test.each([
  ['the memory', memoryAddress(analyser)],
  ['the inbox', analyser.pod.documents.sharedKeys],
])('[0.11] a Cancel does not wait for %s', async (_, url) => {
  silent = url;
  await expectStoppedWithoutTrace();
});

test('[0.11] a Cancel between two steps leaves no trace either', async () => {
  control.cancel('cancel');
  await expectStoppedWithoutTrace();

  control = new TestControl();
  onDraw = () => control.cancel('cancel');
  await expectStoppedWithoutTrace();

  control = new TestControl();
  const before = await lookAround();
  onDraw = () => control.cancel('caller gone');
  const run = runs.run({ caller: anna.pod.webId }, control);
  await expect(run).rejects.toThrow('The caller hung up');
  expect(await lookAround()).toEqual(before);
});

test('[0.5] past the last checkpoint nothing is written by an analysis whose lock somebody has removed', async () => {
  const before = await lookAround();
  control.onCommit = () => rmSync(join(runs.config.output.state_dir, 'analysis.lock'));
  await expect(runs.run({ caller: anna.pod.webId }, control)).rejects.toThrow(
    'Somebody has removed or replaced',
  );
  expect(await lookAround()).toEqual(before);
});
