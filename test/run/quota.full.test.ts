import { expect, test } from 'vitest';
import { openResultsStore } from '../../src/store/results-store.js';
import { readStateMarker } from '../../src/store/state.js';
import { startConfiguredServer } from '../support/configured-server.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { collectOwn } from '../support/published.js';
import { noCharts, startTestRuns } from '../support/test-runs.js';

const QUOTA = 100_000;

const server = await startConfiguredServer({ podQuotaBytes: QUOTA });
const analyser = await createInitialisedPod(server);
const alice = await createContributor(server, analyser, weekly([120, 80, 60]));
await createContributor(server, analyser, weekly([130, 90, 70]));
const mallory = await createInitialisedPod(server);
const runs = await startTestRuns(server, analyser, noCharts);

/** Everybody may write below the folder of the inbox, and what they write counts against the Analyser. */
async function fill(bytes: number): Promise<number> {
  const filler = `${analyser.pod.documents.sharedFolder}filler.txt`;
  const headers = { 'content-type': 'text/plain' };
  const body = 'x'.repeat(bytes);
  const { status } = await mallory.client.request(filler, { method: 'PUT', headers, body });
  return status;
}

/** With the largest filler that there is room for, to the last hundred bytes, but for so many. */
async function fillUp({ butFor = 0 } = {}): Promise<void> {
  let [fits, tooMuch] = [0, QUOTA];
  while (tooMuch - fits > 100) {
    const middle = Math.ceil((fits + tooMuch) / 2);
    if ((await fill(middle)) === 413) tooMuch = middle;
    else fits = middle;
  }
  await fill(fits - butFor);
}

/** What everybody who asks about the last analysis is told. */
async function lastRun() {
  const { results_dir, state_dir } = runs.config.output;
  const latest = await openResultsStore(results_dir).readLatest();
  const marker = await readStateMarker(state_dir);
  return { latest: latest.state === 'found' && latest.document.run_id, marker: marker?.last_run };
}

test('a Pod that a stranger has filled up: figures without a result, told the same everywhere', async () => {
  await fillUp();
  const { document, report } = await runs.run({ caller: alice.pod.webId });
  expect(report).toMatchObject({
    status: 'COMPLETED',
    published: false,
    result_url: '',
    files_read: 1,
    pod_count: 2,
    message: expect.stringMatching(/did not reach your Pod: .*HTTP 413 .*quota/),
  });
  const [own] = document.sharing.published;
  expect(own).toMatchObject({ kind: 'pod-average', recipients: [] });
  expect(own?.failures[alice.pod.webId]).toMatch(/HTTP 413/);
  expect(document.warnings.join('\n')).toMatch(/memory\.txt could not be .*HTTP 413/);
  expect(await lastRun()).toMatchObject({
    latest: report.run_id,
    marker: { run_id: report.run_id, status: 'COMPLETED' },
  });
});

test('[6.2] room helps, and a memory that cannot grow any more sends no figure of the cohort', async () => {
  await fill(1);
  expect(await runs.ask(alice)).toMatchObject({ status: 'COMPLETED', published: true });
  expect((await collectOwn(analyser, alice)).cohort.average_of_averages.systolic).toBe(125);
  await Promise.all(
    [140, 150, 160].map((systolic) =>
      createContributor(server, analyser, weekly([systolic, 90, 70])),
    ),
  );
  // Its own result replaces an earlier one, which takes hardly more room.
  await fillUp({ butFor: 200 });
  const { document, report } = await runs.run({ caller: alice.pod.webId });
  expect(document.cohort.pod_count).toBe(5);
  expect(document.warnings.join('\n')).toMatch(/memory\.txt could not be .*HTTP 413/);
  expect(report).toMatchObject({ status: 'COMPLETED', published: true });
  expect(report.message).toContain('No figures of the cohort are sent this time');
  const own = await collectOwn(analyser, alice);
  expect(own.generated_at).toBe(report.generated_at);
  expect(own.average.systolic).toBe(120);
  expect(own.cohort.average_of_averages.systolic).toBeNull();
  await fill(1);
  expect(await runs.ask(alice)).toMatchObject({ published: true, pod_count: 5 });
  expect((await collectOwn(analyser, alice)).cohort.average_of_averages.systolic).toBe(140);
});
