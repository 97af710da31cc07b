import { afterAll, beforeAll, expect, test } from 'vitest';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { crashAndRecover } from './crashing-run.js';

const server = sharedSolidServer();
let analyser: InitialisedPod;

beforeAll(async () => {
  analyser = await createInitialisedPod(server);
}, 120_000);
afterAll(() => analyser.close());

test(
  'after kill -9 at any write the next run is whole',
  async () => {
    let write = 1;
    for (let crashed = true; crashed; write += 1) {
      // Somebody new each time, so that the first writes for a Pod are among them.
      const reader = await createContributor(server, analyser, weekly([120, 80, 60]));
      crashed = await crashAndRecover(server, analyser, reader, write);
      await reader.close();
    }
    expect(write).toBeGreaterThan(20);
  },
  20 * 60_000,
);
