import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SolidClient } from '../../src/solid/solid-client.js';
import { acquireLock, type FolderLock } from '../../src/store/folder-lock.js';
import { readStoredBytes } from '../../src/store/stored-bytes.js';
import { type Contributor, createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { memoryAddress } from '../support/memory-of.js';
import { ownResultAddress } from '../support/published.js';
import { snapshotPods, takeSnapshot } from '../support/snapshot.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { withTestRuns } from '../support/test-runs.js';

const server = sharedSolidServer();
let analyser: InitialisedPod;
let anna: Contributor;

beforeAll(async () => {
  analyser = await createInitialisedPod(server);
  anna = await createContributor(server, analyser, weekly([120, 80, 60], [130, 90, 70]));
});
afterAll(async () => {
  await Promise.all([analyser.close(), anna.close()]);
});

test.each([
  ['past the last checkpoint', () => memoryAddress(analyser), 1],
  // Closed while it is written, then opened to its reader.
  ['before the document of the cohort', () => `${ownResultAddress(analyser, anna)}.acl`, 2],
])('a process that was paused %s publishes and stores nothing more', async (_, at, nth) => {
  let pause: () => Promise<unknown> = () => Promise.resolve();
  let written = 0;
  const client: SolidClient = {
    ...analyser.client,
    async request(url, options) {
      const answer = await analyser.client.request(url, options);
      if (url !== at() || options?.method !== 'PUT') return answer;
      written += 1;
      if (written === nth) await pause();
      return answer;
    },
  };
  await withTestRuns(
    server,
    analyser,
    {},
    async (runs) => {
      const { output } = runs.config;
      const taken: FolderLock[] = [];
      let before: unknown = null;
      const snapshot = async () => [
        await snapshotPods([analyser, anna]),
        await takeSnapshot(output.results_dir),
        await takeSnapshot(output.charts_dir),
      ];
      pause = async () => {
        const quick = { staleMs: 50, pollMs: 10 };
        taken.push(await acquireLock(output.state_dir, 'analysis', quick));
        before = await snapshot();
      };
      await expect(runs.run({ caller: anna.pod.webId })).rejects.toMatchObject({
        kind: 'timeout',
        message: expect.stringContaining('another process took its turn over'),
      });
      expect(before).not.toBeNull();
      expect(await snapshot()).toEqual(before);
      await taken[0]?.unlock();
    },
    { client },
  );
});

test('a process that was paused at the very end measures and removes nothing any more', async () => {
  let pause: () => Promise<unknown> = () => Promise.resolve();
  const client: SolidClient = {
    ...analyser.client,
    async request(url, options) {
      const answer = await analyser.client.request(url, options);
      if (url === analyser.pod.documents.permissionsLog) await pause();
      return answer;
    },
  };
  await withTestRuns(
    server,
    analyser,
    { output: { keep_megabytes: 1 } },
    async (runs) => {
      const folder = runs.config.output.state_dir;
      const taken: FolderLock[] = [];
      pause = async () => {
        taken.push(await acquireLock(folder, 'analysis', { staleMs: 50, pollMs: 10 }));
      };
      const lost = { message: expect.stringContaining('another process took its turn over') };
      await expect(runs.run({ caller: anna.pod.webId })).rejects.toMatchObject(lost);
      expect(taken).toHaveLength(1);
      expect(await readStoredBytes(folder)).toBeNull();
      await taken[0]?.unlock();
    },
    { client },
  );
});
