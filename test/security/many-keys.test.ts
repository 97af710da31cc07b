import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shareId } from '../../src/pod/documents/shared-keys.js';
import { writeTurtle } from '../../src/pod/documents/write-turtle.js';
import { shareFolder, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { figuresOnly, withTestRuns } from '../support/test-runs.js';
import { createAttacker } from './attacker.js';

const server = sharedSolidServer();
let analyser: InitialisedPod;
let alice: InitialisedPod;
let mallory: InitialisedPod;

beforeAll(async () => {
  analyser = await createInitialisedPod(server);
  [alice, mallory] = await Promise.all([
    createInitialisedPod(server),
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
  const folder = await shareFolder(alice, analyser, weekly(...values));

  const attacker = await createAttacker(mallory, analyser);
  const genuine = shareId(folder, analyser.pod.webId);
  const planted = attacker.statementsOf(
    Array.from({ length: 300 }, () => ({ url: folder, key: randomBytes(32), id: genuine })),
  );
  await attacker.rewriteInbox(writeTurtle(planted), '');

  const { document } = await withTestRuns(server, analyser, figuresOnly, (runs) =>
    runs.run({ caller: alice.pod.webId }),
  );
  expect(document.pods).toMatchObject([
    {
      web_id: alice.pod.webId,
      files_read: files,
      files_skipped: 0,
      // 110 to 125
      measures: { systolic: { average: 117.5, count: files } },
    },
  ]);
});
