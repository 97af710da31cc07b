import { describe, expect, test } from 'vitest';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { crashAtEachWrite } from './crashing-run.js';

const server = sharedSolidServer();

// Side by side, each with an Analyser of its own.
describe.concurrent('after kill -9 at any write the next run is whole', {
  timeout: 900_000,
}, () => {
  test('and sends the same release, when everybody is given a first result', async () => {
    const analyser = await createInitialisedPod(server);
    const reader = await createContributor(server, analyser, weekly([120, 80, 60]));
    const other = await createContributor(server, analyser, weekly([140, 90, 70]));
    const crashes = await crashAtEachWrite({ server, analyser, reader, isFirst: true });
    // Lock, marker, charts, mark, both records, two results, keys, access, hand-over and logs.
    expect(crashes.killed).toBeGreaterThanOrEqual(35);
    expect(crashes.withResult).toBeGreaterThan(3);
    await Promise.all([analyser, reader, other].map((one) => one.close()));
  });

  test('when somebody has an earlier result', async () => {
    const analyser = await createInitialisedPod(server);
    const reader = await createContributor(server, analyser, weekly([120, 80, 60]));
    const crashes = await crashAtEachWrite({ server, analyser, reader, isFirst: false });
    expect(crashes.killed).toBeGreaterThanOrEqual(20);
    await Promise.all([analyser.close(), reader.close()]);
  });
});
