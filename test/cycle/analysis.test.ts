import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { podAverageSchema } from '../../src/documents/published-document.js';
import { podIdOfRoot } from '../../src/pod/addresses.js';
import { readSharedWithMe } from '../../src/pod/read-shared-with-me.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { startTestCycle, type TestCycle } from '../support/test-cycle.js';

const server = sharedSolidServer();
let analyser: InitialisedPod;
let alice: InitialisedPod;
let bob: InitialisedPod;
let cycle: TestCycle;

beforeAll(async () => {
  analyser = await createInitialisedPod(server);
  [alice, bob] = await Promise.all([
    createContributor(server, analyser, weekly([120, 80, 60], [130, 84, 66])),
    createContributor(server, analyser, weekly([110, 70, null])),
  ]);
  cycle = await startTestCycle(server, analyser);
});
afterAll(async () => {
  await cycle.close();
  await Promise.all([analyser.close(), alice.close(), bob.close()]);
});

describe('an analysis for one caller', () => {
  test('gives the caller a document that opens', async () => {
    const outcome = await cycle.run({ caller: alice.pod.webId });
    expect(outcome.document.warnings).toEqual([]);
    expect(outcome.document.cohort).toEqual({
      pod_count: 2,
      included_pod_count: 2,
      observation_count: 3,
      // (125 + 110) / 2, (82 + 70) / 2; one Pod alone has heart rates.
      average_of_averages: { systolic: 117.5, diastolic: 76, heart_rate: 63 },
      pooled_average: { systolic: 120, diastolic: 78, heart_rate: 63 },
      spread_of_averages: { systolic: 7.5, diastolic: 6, heart_rate: 0 },
    });
    const podId = podIdOfRoot(alice.pod.root);
    const url = `${analyser.pod.root}app/data/analyser/${podId}/bp-average.json.enc.ttl`;
    const { text } = await readSharedWithMe(alice.client, alice.pod, url);
    const document = podAverageSchema.parse(JSON.parse(text));
    expect(document.average).toEqual({ systolic: 125, diastolic: 82, heart_rate: 63 });
    expect(document.generated_at).toBe(outcome.document.generated_at);
    expect(document.chart?.data.length).toBeGreaterThan(1000);
  });
});
