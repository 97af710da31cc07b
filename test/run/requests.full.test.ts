import { expect, test } from 'vitest';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { memoryAddress } from '../support/memory-of.js';
import { recordRequests } from '../support/recording-client.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { noCharts, withTestRuns } from '../support/test-runs.js';

const server = sharedSolidServer();

test('an analysis costs the same number of requests besides the files, however many Pods are read', async () => {
  const analyser = await createInitialisedPod(server);
  const reader = await createContributor(server, analyser, weekly([120, 80, 60]));
  const analyse = async () => {
    const client = recordRequests(analyser.client);
    const { pod_count } = await withTestRuns(
      server,
      analyser,
      noCharts,
      (runs) => runs.ask(reader),
      { client },
    );
    const isFile = ({ url }: { url: string }) => url.includes('/data/blood_pressure/');
    const files = client.requests.filter(isFile).length;
    // Written only when it has changed; a version of this very second is looked at again.
    const ofMemory = client.requests.filter(({ url }) => url === memoryAddress(analyser));
    const stored = ofMemory.filter(({ method }) => method === 'PUT').length;
    const others = client.requests.length - files - ofMemory.length;
    return { pod_count, files, stored, others };
  };
  // The first run makes the keys of the documents as well.
  await analyse();
  const before = await analyse();
  await createContributor(server, analyser, weekly([120, 80, 60], [120, 80, 60]));
  const after = await analyse();
  expect(before).toMatchObject({ pod_count: 1, files: 1, stored: 0 });
  expect(after).toEqual({ pod_count: 2, files: 3, stored: 1, others: before.others });
  // The Analyser's own keys, the key of the memory, the root of the Analyser Pod for its kind of access
  // rules, the inbox, the keys of the documents, two documents with their access lists, the recipient's public key, its inbox read, and for each document changed and read
  // back, and two logs.
  expect(after.others).toBeLessThanOrEqual(19);
});
