import { expect, test } from 'vitest';
import type { ResultsDocument } from '../../src/documents/results-document.js';
import { findResourceKeys } from '../../src/pod/resource-keys.js';
import { putDocument } from '../../src/solid/documents.js';
import { allowReading, createContributor, plantKey, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { operate } from '../support/operator.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { noCharts, startTestRuns, type TestRuns } from '../support/test-runs.js';

/**
 * Two Pods with one key: nobody but the operator can tell whose files they are. One `forget` of the
 * other side settles it, with --keys-to, and the warning says which.
 */
const server = sharedSolidServer();

const run = async (runs: TestRuns): Promise<ResultsDocument> =>
  (await runs.run({ caller: null })).document;
const rootsIn = ({ pods }: ResultsDocument) => pods.map(({ pod_root }) => pod_root);

/** What the operator is told to give to the mode. */
function toForget({ warnings }: ResultsDocument, root: string): string | undefined {
  const [warning] = warnings.filter((one) => one.startsWith(`Files of ${root} do not count`));
  return /run the mode forget: forget '(\S+)' --keys-to '\S+'$/.exec(warning ?? '')?.[1];
}

test('somebody who moved to another Pod counts there again after one forget', async () => {
  const analyser = await createInitialisedPod(server);
  const before = await createContributor(server, analyser, weekly([120, 80, 60]));
  const after = await createInitialisedPod(server);
  const runs = await startTestRuns(server, analyser, noCharts);
  expect(rootsIn(await run(runs))).toEqual([before.pod.root]);
  // The same ciphertext in another Pod, shared with the same key.
  const [original = ''] = before.urls;
  const keys = await findResourceKeys(before.client, before.pod, before.urls);
  const url = original.replace(before.pod.root, after.pod.root);
  await putDocument(after.client, url, (await before.client.request(original)).body);
  await allowReading(after, analyser, url);
  await plantKey(after, analyser, url, keys.get(original));
  await before.client.request(original, { method: 'DELETE' });

  const refused = await run(runs);
  expect(rootsIn(refused)).toEqual([]);
  const old = toForget(refused, after.pod.root);
  expect(old).toBe(before.pod.webId);
  // The keys are still those of the old Pod, also after its shares have ended and it was forgotten.
  expect(toForget(await run(runs), after.pod.root)).toBe(old);
  const keysTo = ['--keys-to', after.pod.webId];
  expect(await operate(runs, analyser, 'forget', old ?? '', ...keysTo)).toMatchObject({ code: 0 });
  const settled = await run(runs);
  expect(rootsIn(settled)).toEqual([after.pod.root]);
  expect(settled.warnings.join()).not.toContain('do not count');
});
