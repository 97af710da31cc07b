import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServerError } from '../../src/base/errors.js';
import { shareResources } from '../../src/pod/sharing/share.js';
import { writeEncryptedResources } from '../../src/pod/write-encrypted-resource.js';
import type { SolidClient } from '../../src/solid/solid-client.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { figuresOnly, startTestRuns, type TestRuns } from '../support/test-runs.js';

const server = sharedSolidServer();
let analyser: InitialisedPod;
let alice: InitialisedPod;
let others: InitialisedPod[];
let runs: TestRuns;
/** Roots of Pods of which the server gives nothing, as one does that is overloaded. */
let silent: string[] = [];

beforeAll(async () => {
  analyser = await createInitialisedPod(server);
  alice = await createContributor(server, analyser, weekly([120, 80, 60]));
  others = [];
  for (let index = 0; index < 3; index += 1) {
    others.push(await createContributor(server, analyser, weekly([130, 90, 70])));
  }
  const content = 'name,weight\nAlice,60\n';
  const url = `${alice.pod.documents.app}data/blood_pressure/weight.csv.enc.ttl`;
  await writeEncryptedResources(alice.client, alice.pod, [{ url, content }]);
  const recipientWebId = analyser.pod.webId;
  await shareResources(alice.client, alice.pod, { urls: [url], recipientWebId });
  const client: SolidClient = {
    request: (address, options) => {
      if (!silent.some((root) => address.startsWith(root))) {
        return analyser.client.request(address, options);
      }
      const error = new ServerError('unavailable', `${address} gave nothing.`, { url: address });
      return Promise.reject(error);
    },
    close: () => Promise.resolve(),
  };
  runs = await startTestRuns(server, analyser, figuresOnly, { client });
});
afterAll(async () => {
  await runs.close();
  await Promise.all([analyser, alice, ...others].map((one) => one.close()));
});

test('a cohort without the files of several contributors is said to be partial', async () => {
  silent = others.slice(1).map(({ pod }) => pod.root);
  const usual = await runs.ask(alice);
  expect(usual).toMatchObject({ status: 'COMPLETED', pod_count: 2 });
  expect(usual.message).not.toContain('partial');

  silent = others.map(({ pod }) => pod.root);
  const partial = await runs.ask(alice);
  expect(partial).toMatchObject({ status: 'COMPLETED', pod_count: 1 });
  expect(partial.message).toContain('The figures of the cohort are partial');
  const { document } = await runs.run({ caller: alice.pod.webId });
  expect(document.warnings).toContain(
    'The cohort is partial: files of 3 Pods could not be fetched, because their servers gave no answer.',
  );
});

test('a file that opens, but holds no readings, is said to be just that', async () => {
  silent = [];
  const { document } = await runs.run({ caller: alice.pod.webId });
  const [about] = document.warnings.filter((warning) => warning.includes('weight.csv'));
  expect(about).toMatch(/: it was decrypted, but it is not a reading \(file skipped\)$/);
});
