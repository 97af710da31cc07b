import { expect, test } from 'vitest';
import { initialisePod } from '../../src/pod/initialise-pod.js';
import type { HttpSolidClient, SolidRequest } from '../../src/solid/solid-client.js';
import { createContributor, record, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { readEncrypted } from '../support/open-with-key.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { figuresOnly, noCharts, startTestRuns, withTestRuns } from '../support/test-runs.js';

/** What a run keeps from the one before it must never show in what the next one says. */

const server = sharedSolidServer();
const asked: { url: string; options: SolidRequest }[] = [];

const analyser = await createInitialisedPod(server);
const [alice, bob] = await Promise.all([
  createContributor(server, analyser, weekly([120, 80, 60])),
  createContributor(server, analyser, weekly([110, 70, 50], [130, 90, 70])),
]);
const client: HttpSolidClient = {
  ...analyser.client,
  request: (url, options = {}) => {
    asked.push({ url, options });
    return analyser.client.request(url, options);
  },
};
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
    asked.length = 0;
    expect(await averageOfBob()).toBe(average);
    for (const url of [...alice.urls, ...bob.urls]) {
      expect(asked.filter((one) => one.url === url)).toHaveLength(1);
    }
    const conditions = asked.flatMap(({ options }) => Object.keys(options.headers ?? {}));
    expect(conditions).not.toContain('if-none-match');
  }
});

test('a caller whose Pod was initialised anew can open what is published next', async () => {
  const { documents, webId, appDir } = alice.pod;
  await withTestRuns(server, analyser, noCharts, async (publishing) => {
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
});
