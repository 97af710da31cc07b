import { beforeEach, expect, test } from 'vitest';
import type { ResultsDocument } from '../../src/documents/results-document.js';
import { putDocument } from '../../src/solid/documents.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { removeMemory } from '../support/memory-of.js';
import { operate } from '../support/operator.js';
import { collectCohort, collectOwn } from '../support/published.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { noCharts, startTestRuns, type TestRuns } from '../support/test-runs.js';

/**
 * Whoever gets rid of the memory, or puts an older one back, and removes entries could work out
 * averages again. So until the operator has confirmed it, no figure of the cohort is sent, with exact
 * figures as with released ones; own results are.
 */
const server = sharedSolidServer();
let analyser: InitialisedPod;
let alice: InitialisedPod;
let bob: InitialisedPod;
let mallory: InitialisedPod;
let runs: TestRuns;

beforeEach(async () => {
  analyser = await createInitialisedPod(server);
  [alice, bob, mallory] = await Promise.all([
    createContributor(server, analyser, weekly([120, 80, 60])),
    createContributor(server, analyser, weekly([130, 90, 70])),
    createInitialisedPod(server),
  ]);
  runs = await startTestRuns(server, analyser, noCharts);
  await runs.ask(alice);
  await createContributor(server, analyser, weekly([170, 99, 80]));
  expect((await runs.ask(alice)).pod_count).toBe(3);
});

const removeEntries = () =>
  putDocument(mallory.client, analyser.pod.documents.sharedKeys, '<a> <b> "c" .');

async function expectWithheld(of: TestRuns, caller: InitialisedPod): Promise<ResultsDocument> {
  const { document, report } = await of.run({ caller: caller.pod.webId });
  expect(report).toMatchObject({ status: 'COMPLETED', published: true });
  expect(report.message).toContain('figures of the cohort are withheld');
  const own = await collectOwn(analyser, caller);
  expect(own.generated_at).toBe(report.generated_at);
  expect(own.average.systolic).not.toBeNull();
  const { cohort } = await collectCohort(analyser, caller);
  for (const sent of [own.cohort, cohort]) {
    expect(Object.values(sent.average_of_averages)).toEqual([null, null, null]);
    expect(Object.values(sent.pooled_average)).toEqual([null, null, null]);
  }
  expect(document.sharing.cohort_withheld).toMatchObject({ until_confirmed: true });
  return document;
}

test('[1.2] a memory that is gone withholds figures, until the operator confirms', async () => {
  const reason = /memory\.txt is gone/;
  await removeMemory(analyser);
  const document = await expectWithheld(runs, alice);
  expect(document.warnings.join('\n')).toMatch(reason);
  expect(document.warnings.join('\n')).toContain('--confirm');
  expect(document.sharing.cohort_withheld?.reason).toMatch(reason);
  await removeEntries();
  // It stays so for every caller and process, and waiting does not help.
  const again = await startTestRuns(server, analyser, { output: runs.config.output });
  await expectWithheld(again, alice);
  await expectWithheld(await startTestRuns(server, analyser, noCharts), bob);
  expect(await operate(runs, analyser, 'release')).toMatchObject({
    code: 0,
    out: expect.stringMatching(reason),
  });
  await expectWithheld(runs, alice);
  expect(await operate(runs, analyser, 'release', '--confirm')).toMatchObject({ code: 0 });
  const { report } = await runs.run({ caller: alice.pod.webId });
  expect(report.message).not.toContain('withheld');
  expect((await collectOwn(analyser, alice)).cohort.average_of_averages.systolic).not.toBeNull();
});
