import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import type { PodDocuments } from '../../src/pod/addresses.js';
import { shareId, shareSubject } from '../../src/pod/formats/shared-keys.js';
import { vocabulary as v } from '../../src/pod/formats/vocabulary.js';
import { putDocument } from '../../src/solid/documents.js';
import type { SolidClient } from '../../src/solid/solid-client.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { serveUntilEnd } from '../support/listen.js';
import {
  cohortAddress,
  collectCohort,
  collectOwn,
  ownResultAddress,
} from '../support/published.js';
import { refuse } from '../support/recording-client.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { noCharts, startTestRuns } from '../support/test-runs.js';

/**
 * Those who share also receive, in documents that they can spoil, and in an inbox to which anybody can write. Nobody
 * else's result is late or lost for it, and nothing waits for a server that was asked for what it cannot do.
 */
const server = sharedSolidServer();
const trap = createServer((_, answer) => answer.end('{}'));
const trapOrigin = await serveUntilEnd(trap);
const analyser = await createInitialisedPod(server);
const alice = await createContributor(server, analyser, weekly([120, 80, 60]));
const stranger = await createInitialisedPod(server);
const runs = await startTestRuns(server, analyser, noCharts);

const [turtle, json] = ['text/turtle', 'application/ld+json'];
/** Who would convert it asks elsewhere what it means. */
const remote = () => JSON.stringify({ '@context': `${trapOrigin}/context`, a: 'b' });
const statements = (count: number) => () => '<a><b><c>.'.repeat(count);

const spoilt: [string, keyof PodDocuments, string, () => string, RegExp][] = [
  ['a public key with a context elsewhere', 'publicKey', json, remote, /not a Turtle document/],
  ['a public key without end', 'publicKey', turtle, () => '#'.repeat(100_000), /larger than/],
  ['a public key that is none', 'publicKey', turtle, () => '', /has no pubKey/],
  ['an inbox of 40 MB', 'sharedKeys', turtle, statements(4_000_000), /larger than the 8388608 b/],
  ['an inbox of many statements', 'sharedKeys', turtle, statements(500_000), /more than 100000 st/],
  ['an inbox with a context elsewhere', 'sharedKeys', json, remote, /not a Turtle document/],
];

test('[8.1] each is told of their own failure, and everybody else has their result', async () => {
  // One after the other: a server that is to make many Pods at once gives up on some.
  const hostile: InitialisedPod[] = [];
  for (const [, document, contentType, body] of spoilt) {
    const mallory = await createContributor(server, analyser, weekly([130, 85, 70]));
    await putDocument(mallory.client, mallory.pod.documents[document], body(), { contentType });
    hostile.push(mallory);
  }
  const { document } = await runs.run({ caller: null });
  const failures = new Map(
    document.sharing.published.flatMap((one) => Object.entries(one.failures)),
  );
  expect([...failures.keys()].sort()).toEqual(hostile.map(({ pod }) => pod.webId).sort());
  for (const [index, [name, , , , reason]] of spoilt.entries()) {
    expect(failures.get(hostile[index]?.pod.webId ?? ''), name).toMatch(reason);
  }
  expect((await collectOwn(analyser, alice)).generated_at).toBe(document.generated_at);
}, 120_000);

/** What strangers write under the share id of one of the documents. */
async function plantBeside(url: string): Promise<void> {
  const subject = shareSubject(shareId(url, alice.pod.webId));
  const named = ['"text"', '"text"@en-GB', '5', 'true', '<x:y>', `"${'A'.repeat(344)}"`];
  // A blank node is removed with all that stands beside it, so it has a predicate of its own.
  const planted = { [v.sharedKey]: named, [v.sharedPath]: named, 'x:other': ['_:blank', '[]'] };
  const statements = Object.entries(planted).flatMap(([predicate, values]) =>
    values.map((value) => `<${subject}> <${predicate}> ${value} .`),
  );
  const answer = await stranger.client.request(alice.pod.documents.sharedKeys, {
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
  '[7.4] values of every kind beside the key of the %s are cleared away, so that the app finds one',
  async (_, addressOf) => {
    await plantBeside(addressOf(analyser, alice));
    const report = await runs.ask(alice);
    expect(report).toMatchObject({ status: 'COMPLETED', published: true });
    for (const collect of [collectOwn, collectCohort]) {
      expect((await collect(analyser, alice)).generated_at).toBe(report.generated_at);
    }
  },
);

test('[7.2][7.4][8.2] who plants values beside the key of the cohort again and again sinks only that one', async () => {
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
  const racing = await startTestRuns(server, analyser, noCharts, { client: raced });
  const report = await racing.ask(alice);
  expect(report).toMatchObject({ status: 'COMPLETED', published: true });
  expect(report.message).toMatch(
    /^Your own result has reached your Pod, but the document of the cohort has not: .* does not show what was written to it\.$/,
  );
  expect((await collectOwn(analyser, alice)).generated_at).toBe(report.generated_at);

  // What is left there keeps apart the two keys; where the first does not arrive, nor does the other.
  const full = refuse(analyser.client, (url, how) => url === sharedKeys && how?.method === 'PATCH');
  const refused = await startTestRuns(server, analyser, noCharts, { client: full });
  const { document } = await refused.run({ caller: alice.pod.webId });
  expect(document.sharing.published.map(({ recipients }) => recipients)).toEqual([[], []]);
});
