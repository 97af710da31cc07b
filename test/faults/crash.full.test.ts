import { describe, expect, test } from 'vitest';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { crashAndRecover, prepareCrashes } from './crashing-run.js';

const server = sharedSolidServer();

// Side by side, each with an Analyser of its own.
describe.concurrent('after kill -9 at any write the next run is whole', () => {
  test.each([
    ['when somebody is given a first result', true],
    ['when somebody has an earlier result', false],
  ])(
    '%s',
    async (_, isFirst) => {
      const analyser = await createInitialisedPod(server);
      const reader = await createContributor(server, analyser, weekly([120, 80, 60]));
      const crashes = await prepareCrashes({ server, analyser, reader, isFirst });
      let write = 1;
      while (await crashAndRecover(crashes, write)) write += 1;
      // Lock, marker, charts, both records, keys, access, documents, hand-over and logs.
      expect(write).toBeGreaterThan(isFirst ? 25 : 20);
      await crashes.remove();
      await Promise.all([analyser.close(), reader.close()]);
    },
    15 * 60_000,
  );
});
