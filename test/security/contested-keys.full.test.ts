import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ResultsDocument } from '../../src/documents/results-document.js';
import { findResourceKeys } from '../../src/pod/resource-keys.js';
import { putDocument } from '../../src/solid/documents/write-document.js';
import { allowReading, createContributor, plantKey, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { operate } from '../support/operator.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { startTestRuns, type TestRuns } from '../support/test-runs.js';

/**
 * Two Pods with one key: nobody but the operator can tell whose files they are. One `forget` of the
 * other side settles it, with --keys-to, and the warning says which.
 */
const server = sharedSolidServer();
let analyser: InitialisedPod;
const opened: { close(): Promise<unknown> }[] = [];

beforeEach(async () => {
  analyser = keep(await createInitialisedPod(server));
});
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

function keep<T extends { close(): Promise<unknown> }>(one: T): T {
  opened.push(one);
  return one;
}

async function startRuns(): Promise<TestRuns> {
  return keep(await startTestRuns(server, analyser, { output: { render_charts: false } }));
}

const run = async (runs: TestRuns): Promise<ResultsDocument> =>
  (await runs.run({ caller: null })).document;
const rootsIn = ({ pods }: ResultsDocument) => pods.map(({ pod_root }) => pod_root);

/** What the operator is told to give to the mode. */
function toForget({ warnings }: ResultsDocument, root: string): string | undefined {
  const [warning] = warnings.filter((one) => one.startsWith(`Files of ${root} do not count`));
  return /run the mode forget: forget (\S+) --keys-to \S+$/.exec(warning ?? '')?.[1];
}

/** The same ciphertexts in another Pod, shared with the same keys. */
async function shareSameFiles(
  from: InitialisedPod,
  originals: readonly string[],
  to: InitialisedPod,
): Promise<void> {
  const keys = await findResourceKeys(from.client, from.pod, originals);
  for (const original of originals) {
    const url = original.replace(from.pod.root, to.pod.root);
    await putDocument(to.client, url, (await from.client.request(original)).body);
    await allowReading(to, analyser, url);
    await plantKey(to, analyser, url, keys.get(original));
  }
}

test('somebody who moved to another Pod counts there again after one forget', async () => {
  const before = keep(await createContributor(server, analyser, weekly([120, 80, 60])));
  const after = keep(await createInitialisedPod(server));
  const runs = await startRuns();
  expect(rootsIn(await run(runs))).toEqual([before.pod.root]);
  await shareSameFiles(before, before.urls, after);
  for (const url of before.urls) await before.client.request(url, { method: 'DELETE' });

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
