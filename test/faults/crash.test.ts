import { afterAll, beforeAll, expect, test } from 'vitest';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { crashAndRecover } from './crashing-run.js';

const server = sharedSolidServer();
let analyser: InitialisedPod;
let alice: InitialisedPod;

beforeAll(async () => {
  analyser = await createInitialisedPod(server);
  alice = await createContributor(server, analyser, weekly([120, 80, 60]));
}, 120_000);
afterAll(() => Promise.all([analyser.close(), alice.close()]));

// Within the first marker, and in the middle of publishing; crash.long.test.ts has every write.
test.each([4, 12])('after kill -9 at write %i the next run is whole', async (write) => {
  expect(await crashAndRecover(server, analyser, alice, write)).toBe(true);
});
