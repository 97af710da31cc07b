import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { writeEncryptedResources } from '../../src/pod/formats/encrypted-resource.js';
import { shareResources } from '../../src/pod/sharing/share.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { type TestRuns, withTestRuns } from '../support/test-runs.js';
import { createAttacker } from './attacker.js';

const server = sharedSolidServer();
const LARGE_BYTES = 4_000_000;

const analyser = await createInitialisedPod(server);
const [alice, mallory] = await Promise.all([
  createContributor(server, analyser, weekly([120, 80, 60])),
  createInitialisedPod(server),
]);

test('hundreds of keys for two of the largest files keep nobody’s analysis from its end', async () => {
  const folder = `${mallory.pod.documents.app}data/blood_pressure/`;
  const content = 'x'.repeat(LARGE_BYTES);
  const large = ['one', 'two'].map((name) => ({ url: `${folder}${name}.enc.ttl`, content }));
  await writeEncryptedResources(mallory.client, mallory.pod, large);
  const recipientWebId = analyser.pod.webId;
  await shareResources(mallory.client, mallory.pod, { urls: [folder], recipientWebId });
  const attacker = await createAttacker(mallory, analyser);
  await attacker.plant(
    Array.from({ length: 400 }, (_, index) => ({
      url: folder,
      key: randomBytes(32),
      id: `planted-${index}`,
    })),
  );
  const ask = (runs: TestRuns) => runs.ask(alice);
  const report = await withTestRuns(server, analyser, {}, ask, { timeoutSeconds: 30 });
  expect(report).toMatchObject({ status: 'COMPLETED', files_read: 1, files_skipped: 0 });
});
