import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import type { PodDocuments } from '../../src/pod/addresses.js';
import { putDocument } from '../../src/solid/documents.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { serveUntilEnd } from '../support/listen.js';
import { collectOwn } from '../support/published.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { noCharts, startTestRuns } from '../support/test-runs.js';

/**
 * Those who share also receive, in documents that they can spoil. Nobody else's result is late or
 * lost for it, and nothing waits for a server that was asked for what it cannot do.
 */
const server = sharedSolidServer();
const trap = createServer((_, answer) => answer.end('{}'));
const trapOrigin = await serveUntilEnd(trap);
const analyser = await createInitialisedPod(server);
const alice = await createContributor(server, analyser, weekly([120, 80, 60]));
const runs = await startTestRuns(server, analyser, noCharts);

const json = 'application/ld+json';
const remote = () => JSON.stringify({ '@context': `${trapOrigin}/context`, a: 'b' });

const spoilt: [string, keyof PodDocuments, string, () => string, RegExp][] = [
  ['a public key that is broken JSON-LD', 'publicKey', json, () => '{{{', /not a Turtle document/],
  ['a public key with a context elsewhere', 'publicKey', json, remote, /not a Turtle document/],
  ['a public key that is a page', 'publicKey', 'text/html', () => '<html>', /not a Turtle/],
  [
    'a public key without end',
    'publicKey',
    'text/turtle',
    () => '#'.repeat(100_000),
    /larger than/,
  ],
  ['a public key that is none', 'publicKey', 'text/turtle', () => '', /has no pubKey/],
  [
    'an inbox of 40 MB of short statements',
    'sharedKeys',
    'text/turtle',
    () => '<a><b><c>.'.repeat(4_000_000),
    /larger than the 8388608 bytes/,
  ],
  [
    'an inbox of many short statements',
    'sharedKeys',
    'text/turtle',
    () => '<a><b><c>.'.repeat(500_000),
    /holds more than 100000 statements/,
  ],
  ['an inbox that is broken JSON-LD', 'sharedKeys', json, () => '{{{', /not a Turtle document/],
  ['an inbox with a context elsewhere', 'sharedKeys', json, remote, /not a Turtle document/],
  [
    'an inbox that is a picture',
    'sharedKeys',
    'image/png',
    () => '\u0000',
    /not a Turtle document/,
  ],
];

test('each is told of their own failure, and everybody else has their result', async () => {
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
