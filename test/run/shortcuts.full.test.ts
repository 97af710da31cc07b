import { expect, test } from 'vitest';
import { initialisePod } from '../../src/pod/initialise-pod.js';
import { createContributor, record, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { memoryAddress } from '../support/memory-of.js';
import { readEncrypted } from '../support/open-with-key.js';
import { recordRequests } from '../support/recording-client.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { figuresOnly, noCharts, startTestRuns } from '../support/test-runs.js';

/** What a run keeps from the one before it must never show in what the next one says. */

const server = sharedSolidServer();

const analyser = await createInitialisedPod(server);
const [alice, bob] = await Promise.all([
  createContributor(server, analyser, weekly([120, 80, 60])),
  createContributor(server, analyser, weekly([110, 70, 50], [130, 90, 70])),
]);
const client = recordRequests(analyser.client);
const runs = await startTestRuns(server, analyser, figuresOnly, { client });

async function averageOfBob(): Promise<number | null | undefined> {
  const { document } = await runs.run({ caller: alice.pod.webId });
  return document.pods.find(({ web_id }) => web_id === bob.pod.webId)?.measures.systolic.average;
}

test('each run asks the server for every file, and shows content that changed within a second', async () => {
  const timestamp = '2026-01-05T08:00:00.000';
  for (const [systolic, average] of [
    [110, 120],
    [150, 140],
    [110, 120],
  ] as const) {
    await record(bob, [{ timestamp, systolic, diastolic: 70, heart_rate: 50 }]);
    client.requests.length = 0;
    expect(await averageOfBob()).toBe(average);
    for (const url of [...alice.urls, ...bob.urls]) {
      expect(client.requests.filter((one) => one.url === url)).toHaveLength(1);
    }
    const conditions = client.requests.flatMap(({ headers }) => Object.keys(headers ?? {}));
    expect(conditions).not.toContain('if-none-match');
  }
});

test('a caller whose Pod was initialised anew can open what is published next', async () => {
  const { documents, webId, appDir } = alice.pod;
  const publishing = await startTestRuns(server, analyser, noCharts);
  const first = await publishing.ask(alice);
  await readEncrypted(alice, first.result_url);
  for (const url of [documents.encKeys, documents.publicKey]) {
    await alice.client.request(url, { method: 'DELETE' });
  }
  const lock = { webId, appDir, securityKey: 'another security key' };
  const renewed = await initialisePod(alice.client, lock);
  const second = await publishing.ask(alice);
  const { text } = await readEncrypted({ client: alice.client, pod: renewed }, second.result_url);
  expect(text).toContain(second.generated_at);
  renewed.dispose();
});

test('an analysis costs the same number of requests besides the files, however many Pods are read', async () => {
  const analyser = await createInitialisedPod(server);
  const reader = await createContributor(server, analyser, weekly([120, 80, 60]));
  const analyse = async () => {
    const client = recordRequests(analyser.client);
    const counted = await startTestRuns(server, analyser, noCharts, { client });
    const { pod_count } = await counted.ask(reader);
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
