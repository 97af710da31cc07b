import { afterAll, beforeAll, expect, test } from 'vitest';
import { shareId, shareSubject } from '../../src/pod/documents/share-statements.js';
import { vocabulary as v } from '../../src/pod/vocabulary.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { collectOwn, ownResultAddress } from '../support/published.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { startTestRuns, type TestRuns } from '../support/test-runs.js';

/** Anybody can also write to the inbox of the person who waits for a result. */
const server = sharedSolidServer();
let analyser: InitialisedPod;
let alice: InitialisedPod;
let mallory: InitialisedPod;
let runs: TestRuns;

beforeAll(async () => {
  [analyser, mallory] = await Promise.all([
    createInitialisedPod(server),
    createInitialisedPod(server),
  ]);
  alice = await createContributor(server, analyser, weekly([120, 80, 60]));
  runs = await startTestRuns(server, analyser, { output: { render_charts: false } });
});
afterAll(async () => {
  await runs.close();
  await Promise.all([analyser, alice, mallory].map((one) => one.close()));
});

test('values of every kind beside the key are cleared away, so that the app finds one', async () => {
  const subject = shareSubject(shareId(ownResultAddress(analyser, alice), alice.pod.webId));
  const values = [
    '"text"',
    '"text"@en',
    '5',
    'true',
    '<x:y>',
    '_:blank',
    '[]',
    `"${'A'.repeat(344)}"`,
  ];
  const statements = [v.sharedKey, v.sharedPath, 'x:other'].flatMap((predicate) =>
    values.map((value) => `<${subject}> <${predicate}> ${value} .`),
  );
  const answer = await mallory.client.request(alice.pod.documents.sharedKeys, {
    method: 'PATCH',
    headers: { 'content-type': 'application/sparql-update' },
    body: `INSERT DATA { ${statements.join('\n')} }`,
  });
  expect(answer.status).toBeLessThan(300);

  const report = await runs.ask(alice);
  expect(report).toMatchObject({ status: 'COMPLETED', published: true });
  const { generated_at } = await collectOwn(analyser, alice);
  expect(generated_at).toBe(report.generated_at);
});
