import { expect, test } from 'vitest';
import { shareResources } from '../../src/pod/sharing/share.js';
import { writeEncryptedResources } from '../../src/pod/write-encrypted-resource.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { figuresOnly, withTestRuns } from '../support/test-runs.js';

test('a file that opens, but holds no readings, is said to be just that', async () => {
  const server = sharedSolidServer();
  const analyser = await createInitialisedPod(server);
  const alice = await createContributor(server, analyser, weekly([120, 80, 60]));
  const url = `${alice.pod.documents.app}data/blood_pressure/weight.json.enc.ttl`;
  const content = '{"name":"Alice","weight":60}';
  await writeEncryptedResources(alice.client, alice.pod, [{ url, content }]);
  const recipientWebId = analyser.pod.webId;
  await shareResources(alice.client, alice.pod, { urls: [url], recipientWebId });
  const { document } = await withTestRuns(server, analyser, figuresOnly, (runs) =>
    runs.run({ caller: alice.pod.webId }),
  );
  const [about] = document.warnings.filter((warning) => warning.includes('weight.json'));
  expect(about).toMatch(/: it was decrypted, but it is not a reading \(file skipped\)$/);
  await Promise.all([analyser.close(), alice.close()]);
});
