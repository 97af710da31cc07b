import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shareId } from '../../src/pod/documents/shared-keys.js';
import { writeTurtle } from '../../src/pod/documents/write-turtle.js';
import { shareResources } from '../../src/pod/sharing/share.js';
import { writeEncryptedResources } from '../../src/pod/write-encrypted-resource.js';
import { createContributor, shareFolder, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { figuresOnly, type TestRuns, withTestRuns } from '../support/test-runs.js';
import { createAttacker } from './attacker.js';

const server = sharedSolidServer();
const LARGE_BYTES = 4_000_000;
let analyser: InitialisedPod;
let alice: InitialisedPod;
let mallory: InitialisedPod;

beforeAll(async () => {
  analyser = await createInitialisedPod(server);
  [alice, mallory] = await Promise.all([
    createContributor(server, analyser, weekly([120, 80, 60])),
    createInitialisedPod(server),
  ]);
});
afterAll(() => Promise.all([analyser, alice, mallory].map((one) => one.close())));

test('wrong keys in front of the right one of a folder take none of its files away', async () => {
  const files = 16;
  const values = Array.from({ length: files }, (_, index): [number, number, number] => [
    110 + index,
    70,
    60,
  ]);
  const bob = await createInitialisedPod(server);
  const folder = await shareFolder(bob, analyser, weekly(...values));

  const attacker = await createAttacker(mallory, analyser);
  const genuine = shareId(folder, analyser.pod.webId);
  const planted = attacker.statementsOf(
    Array.from({ length: 300 }, () => ({ url: folder, key: randomBytes(32), id: genuine })),
  );
  await attacker.rewriteInbox(writeTurtle(planted), '');

  const { document } = await withTestRuns(server, analyser, figuresOnly, (runs) =>
    runs.run({ caller: bob.pod.webId }),
  );
  // 110 to 125
  const measures = { systolic: { average: 117.5, count: files } };
  const expected = { web_id: bob.pod.webId, files_read: files, files_skipped: 0, measures };
  expect(document.pods).toContainEqual(
    expect.objectContaining({
      ...expected,
      measures: expect.objectContaining({ systolic: expect.objectContaining(measures.systolic) }),
    }),
  );
  await bob.close();
});

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
