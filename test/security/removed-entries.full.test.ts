import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ResultsDocument } from '../../src/documents/results-document.js';
import { revokeShares } from '../../src/pod/sharing/share.js';
import { putDocument } from '../../src/solid/documents.js';
import { createContributor, recordInFolder, shareFolder, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { removeMemory } from '../support/memory-of.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { noCharts, startTestRuns, type TestRuns } from '../support/test-runs.js';

/**
 * Whoever removes entries from the inbox, and puts them back, must not be able to work out from the
 * difference what they contribute.
 */
const server = sharedSolidServer();

let runs: TestRuns;

const analyser = await createInitialisedPod(server);
const [alice, mallory] = await Promise.all([
  createContributor(server, analyser, weekly([120, 80, 60], [130, 84, 66])),
  createInitialisedPod(server),
  createContributor(server, analyser, weekly([110, 70, 50])),
]);
const inbox = (await mallory.client.request(analyser.pod.documents.sharedKeys)).body;

beforeEach(async () => {
  runs = await startTestRuns(server, analyser, noCharts);
});
afterEach(async () => {
  await removeMemory(analyser);
  await putDocument(mallory.client, analyser.pod.documents.sharedKeys, inbox);
});

const fill = (text: string) => putDocument(mallory.client, analyser.pod.documents.sharedKeys, text);
const emptyInbox = '<a> <b> "c" .';

async function run(of = runs): Promise<ResultsDocument> {
  return (await of.run({ caller: alice.pod.webId })).document;
}

const entryOf = ({ pods }: ResultsDocument, { pod }: InitialisedPod) =>
  pods.find(({ web_id }) => web_id === pod.webId);
const figures = ({ pods, cohort }: ResultsDocument) => ({ pods, cohort });

/** As after a restart: nothing is left but what is on the disk and in the Pod. */
async function runRestarted(): Promise<ResultsDocument> {
  return run(await startTestRuns(server, analyser, { output: runs.config.output }));
}

test('a shared folder goes on with every file that its key opens, new ones too, until it is closed', async () => {
  const erin = await createInitialisedPod(server);
  const [first, second] = weekly([140, 90, 70], [150, 90, 70]);
  if (!first || !second) throw new Error('There are two.');
  const folder = await shareFolder(erin, analyser, [first]);
  const sharing = { urls: [folder], recipientWebId: analyser.pod.webId };
  const before = await run();
  expect(before.cohort.pod_count).toBe(3);
  await fill(emptyInbox);
  const after = await runRestarted();
  expect(figures(after)).toEqual(figures(before));
  // Two files of Alice, one of Bob and the one in the folder.
  expect(after.warnings.join()).toMatch(/^Counted 4 files without an entry in the inbox/);
  await recordInFolder(erin, [second]);
  expect(entryOf(await run(), erin)).toMatchObject({ files_read: 2, files_skipped: 0 });
  await revokeShares(erin.client, erin.pod, sharing);
  const { pods, warnings } = await run();
  expect(pods).toHaveLength(2);
  expect(warnings.join()).not.toContain(erin.pod.root);
});
