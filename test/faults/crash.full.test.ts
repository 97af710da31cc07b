import { describe, expect, test } from 'vitest';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { crashAndRecover, prepareCrashes } from './crashing-run.js';

const server = sharedSolidServer();

// Side by side, each with an Analyser of its own.
describe.concurrent('after kill -9 at any write the next run is whole', {
  timeout: 900_000,
}, () => {
  test('and sends the same release, when everybody is given a first result', async () => {
    const analyser = await createInitialisedPod(server);
    const reader = await createContributor(server, analyser, weekly([120, 80, 60]));
    const other = await createContributor(server, analyser, weekly([140, 90, 70]));
    const crashes = await prepareCrashes({ server, analyser, reader, isFirst: true });
    let afterRelease = 0;
    let write = 1;
    for (; ; write += 1) {
      const crash = await crashAndRecover(crashes, write);
      if (crash === 'none') break;
      if (crash === 'after-release') afterRelease += 1;
    }
    // Lock, marker, charts, mark, both records, two results, keys, access, hand-over and logs.
    expect(write).toBeGreaterThan(35);
    expect(afterRelease).toBeGreaterThan(3);
    await crashes.remove();
    await Promise.all([analyser, reader, other].map((one) => one.close()));
  });

  test('when somebody has an earlier result', async () => {
    const analyser = await createInitialisedPod(server);
    const reader = await createContributor(server, analyser, weekly([120, 80, 60]));
    const crashes = await prepareCrashes({ server, analyser, reader, isFirst: false });
    let write = 1;
    while ((await crashAndRecover(crashes, write)) !== 'none') write += 1;
    expect(write).toBeGreaterThan(20);
    await crashes.remove();
    await Promise.all([analyser.close(), reader.close()]);
  });
});
