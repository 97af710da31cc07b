import { expect, test } from 'vitest';
import { writeEncryptedResources } from '../../src/pod/formats/encrypted-resource.js';
import { shareResources } from '../../src/pod/sharing/share.js';
import { putDocument } from '../../src/solid/documents.js';
import { readStateMarker } from '../../src/store/state.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { folderOfPod, takeSnapshot } from '../support/snapshot.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { noCharts, startTestRuns } from '../support/test-runs.js';

/** What becomes of a call of whose Pod nothing can be read; what it is told: src/run/publish/build-report.test.ts. */
const server = sharedSolidServer();
const analyser = await createInitialisedPod(server);
/** `hopeless` shares one file, which is none; `elsewhere` what is not to be analysed; `empty` an empty folder. */
const [hopeless, elsewhere, empty, nobody] = await Promise.all([
  createContributor(server, analyser, weekly([90, 60, 50])),
  createInitialisedPod(server),
  createInitialisedPod(server),
  createInitialisedPod(server),
  createContributor(server, analyser, weekly([120, 80, 60])),
]);
const recipientWebId = analyser.pod.webId;
const [only = ''] = hopeless.urls;
await putDocument(hopeless.client, only, 'no Turtle at all', { contentType: 'text/plain' });
const weight = `${elsewhere.pod.documents.app}data/weight/w_1.json.enc.ttl`;
await writeEncryptedResources(elsewhere.client, elsewhere.pod, [{ url: weight, content: '{}' }]);
await shareResources(elsewhere.client, elsewhere.pod, { urls: [weight], recipientWebId });
const folder = `${empty.pod.documents.app}data/blood_pressure/`;
await putDocument(empty.client, `${folder}notes.txt`, 'none', { contentType: 'text/plain' });
await shareResources(empty.client, empty.pod, { urls: [folder], recipientWebId });
const runs = await startTestRuns(server, analyser, noCharts);
// What is remembered is written once.
await runs.ask(nobody);

test('a caller of whom nothing can be read is told so, and nothing is written to any Pod', async () => {
  const callers: [InitialisedPod, boolean][] = [
    [nobody, false],
    [elsewhere, true],
    [empty, true],
    [hopeless, true],
  ];
  const pods = [analyser, ...callers.map(([caller]) => caller)];
  const look = () => Promise.all(pods.map(({ pod }) => takeSnapshot(folderOfPod(pod.root))));
  const before = await look();
  for (const [caller, isKnown] of callers) {
    const report = await runs.ask(caller);
    expect(report).toMatchObject({
      status: 'NO_DATA',
      result_url: '',
      published: false,
      pod_count: 1,
      observation_count: 0,
      files_read: 0,
      files_skipped: caller === hopeless ? 1 : 0,
    });
    const { results_dir, state_dir } = runs.config.output;
    const latest = await takeSnapshot(results_dir);
    const lastRun = (await readStateMarker(state_dir))?.last_run?.run_id ?? '';
    expect(latest['latest.json']).toBe(latest[`run-${lastRun}.json`]);
    // Anybody can invent a WebID of which nothing is known, so such a run leaves nothing, and nothing names it.
    expect(report.run_id).toBe(isKnown ? lastRun : '');
  }
  expect(await look()).toEqual(before);
});
