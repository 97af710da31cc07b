import { expect, test } from 'vitest';
import { shareId, shareSubject } from '../../src/pod/formats/shared-keys.js';
import { vocabulary as v } from '../../src/pod/formats/vocabulary.js';
import type { SolidClient } from '../../src/solid/solid-client.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import {
  cohortAddress,
  collectCohort,
  collectOwn,
  ownResultAddress,
} from '../support/published.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { noCharts, startTestRuns, withTestRuns } from '../support/test-runs.js';

/** Anybody can also write to the inbox of the person who waits for a result. */
const server = sharedSolidServer();
const [analyser, mallory] = await Promise.all([
  createInitialisedPod(server),
  createInitialisedPod(server),
]);
const alice = await createContributor(server, analyser, weekly([120, 80, 60]));
const runs = await startTestRuns(server, analyser, noCharts);

/** What strangers write under the share id of one of the documents. */
async function plantBeside(url: string): Promise<void> {
  const subject = shareSubject(shareId(url, alice.pod.webId));
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
}

test.each([
  ['own document', ownResultAddress],
  ['document of the cohort', cohortAddress],
])(
  'values of every kind beside the key of the %s are cleared away, so that the app finds one',
  async (_, addressOf) => {
    await plantBeside(addressOf(analyser, alice));
    const report = await runs.ask(alice);
    expect(report).toMatchObject({ status: 'COMPLETED', published: true });
    for (const collect of [collectOwn, collectCohort]) {
      expect((await collect(analyser, alice)).generated_at).toBe(report.generated_at);
    }
  },
);

test('who plants values beside the key of the cohort again and again sinks only that one', async () => {
  const { sharedKeys } = alice.pod.documents;
  const raced: SolidClient = {
    ...analyser.client,
    async request(url, options) {
      const answer = await analyser.client.request(url, options);
      if (url === sharedKeys && options?.method === 'PATCH')
        await plantBeside(cohortAddress(analyser));
      return answer;
    },
  };
  const report = await withTestRuns(server, analyser, noCharts, (one) => one.ask(alice), {
    client: raced,
  });
  expect(report).toMatchObject({ status: 'COMPLETED', published: true });
  expect(report.message).toMatch(
    /^Your own result has reached your Pod, but the document of the cohort has not: .* does not show what was written to it\.$/,
  );
  expect((await collectOwn(analyser, alice)).generated_at).toBe(report.generated_at);
});
