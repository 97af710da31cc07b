import { expect, test } from 'vitest';
import type { AnalysisQueue } from '../../src/service/analysis-queue.js';
import type { SolidClient } from '../../src/solid/solid-client.js';
import { askTogether } from '../support/ask-together.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { memoryAddress, memoryOf } from '../support/memory-of.js';
import { takeSnapshot } from '../support/snapshot.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { noCharts, type Sharing, startTestRuns } from '../support/test-runs.js';

/** A release each day. */
const release = {
  epsilon: 0.1,
  every_days: 1,
  budget: 100,
  bounds: { systolic: [0, 1000], diastolic: [0, 1000], heart_rate: [0, 1000] },
} satisfies Sharing['cohort_release'];

const server = sharedSolidServer();
const analyser = await createInitialisedPod(server);
const anna = await createContributor(server, analyser, weekly([120, 80, 60]));
await createContributor(server, analyser, weekly([140, 90, 70]));
/** Shares nothing. */
const nobody = await createInitialisedPod(server);

test('a release is recorded before anybody is left out, so also when those who would be sent it cancel', async () => {
  const sections = { ...noCharts, sharing: { cohort_release: release } };
  const runs = await startTestRuns(server, analyser, sections);
  let queue: AnalysisQueue | null = null;
  const client: SolidClient = {
    ...analyser.client,
    async request(url, options) {
      // The release has yet to be worked out, for a caller who then is gone.
      if (url === memoryAddress(analyser) && options?.method === undefined) {
        queue?.cancel(anna.pod.webId);
      }
      return analyser.client.request(url, options);
    },
  };
  const onQueue = (running: AnalysisQueue) => {
    queue = running;
  };
  const replies = await askTogether(runs, [anna.pod.webId, nobody.pod.webId], { client, onQueue });
  expect(replies.map(({ status }) => status)).toEqual(['CANCELLED', 'NO_DATA']);
  expect((await memoryOf(runs)).memory.releases).not.toEqual([]);
  expect(await takeSnapshot(runs.config.output.results_dir)).toEqual({});
});
