import { expect, test } from 'vitest';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { memoryAddress, memoryOf } from '../support/memory-of.js';
import { recordRequests } from '../support/recording-client.js';
import { rekeyPod } from '../support/rekeyed-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { TestControl } from '../support/test-control.js';
import { startTestRuns } from '../support/test-runs.js';

/** When an analysis writes what it remembers, and what it remembers then. */
const server = sharedSolidServer();
const analyser = await createInitialisedPod(server);
const anna = await createContributor(server, analyser, weekly([120, 80, 60], [130, 84, 66]));
const nobody = await createInitialisedPod(server);

test('the memory is written when something changed, once, and never without sharing', async () => {
  const client = recordRequests(analyser.client);
  const isStored = async () => (await analyser.client.request(memoryAddress(analyser))).status;
  const writes = () =>
    client.requests.filter(({ method, url }) => method === 'PUT' && url === memoryAddress(analyser))
      .length;

  const trial = await startTestRuns(server, analyser, { sharing: { enabled: false } }, { client });
  await trial.ask(anna);
  expect(await isStored()).toBe(404);

  const runs = await startTestRuns(server, analyser, {}, { client });
  const stopped = new TestControl();
  stopped.onCommit = () => stopped.cancel('cancel');
  await expect(runs.ask(anna, stopped)).rejects.toThrow('cancelled');
  expect(await isStored()).toBe(404);

  // Even an analysis that finds nothing for its caller remembers what it read of others.
  expect((await runs.ask(nobody)).status).toBe('NO_DATA');
  const first = await memoryOf(runs);
  expect([...(first.memory.pods.get(anna.pod.root)?.shares.keys() ?? [])]).toHaveLength(2);
  const before = writes();
  expect(before).toBeGreaterThan(0);

  await runs.ask(anna);
  const known = await memoryOf(runs);
  await runs.ask(anna);
  await runs.run({ caller: null });
  expect((await memoryOf(runs)).version).toBe(known.version);

  const again = await startTestRuns(server, analyser, { sharing: { enabled: false } }, { client });
  await again.ask(anna);
  expect((await memoryOf(again)).version).toBe(known.version);
});

test('an analysis of nobody writes an empty memory, so that its absence means something', async () => {
  const lonely = await createInitialisedPod(server);
  const runs = await startTestRuns(server, lonely);
  expect((await runs.ask(nobody)).status).toBe('NO_DATA');
  const { memory, version } = await memoryOf(runs);
  expect([version, memory.pods.size, memory.withheld]).toEqual([1, 0, null]);
});

test('[1.1] a new security key that the service does not have yet is a matter of keys', async () => {
  const owner = await createInitialisedPod(server);
  const runs = await startTestRuns(server, owner);
  await runs.ask(nobody);
  await rekeyPod(owner, 'another security key');
  await expect(runs.ask(nobody)).rejects.toMatchObject({
    kind: 'keys',
    message: expect.stringContaining('does not match'),
  });
});
