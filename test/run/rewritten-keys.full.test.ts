import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { buildIndKeyEntry } from '../../src/pod/formats/ind-keys.js';
import { writeTurtle } from '../../src/pod/formats/vocabulary.js';
import { writeEncryptedResources } from '../../src/pod/write-resource.js';
import { putDocument } from '../../src/solid/documents.js';
import type { SolidClient } from '../../src/solid/solid-client.js';
import { createContributor, weekly } from '../support/contributor.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { memoryOf } from '../support/memory-of.js';
import { openWithKey, readEncrypted } from '../support/open-with-key.js';
import { cohortAddress, ownResultAddress } from '../support/published.js';
import { rekeyPod } from '../support/rekeyed-pod.js';
import { dropOwnKeys, keysForTheApp, putOtherKey } from '../support/rewritten-ind-keys.js';
import { sharedSolidServer } from '../support/solid-server.js';
import { noCharts, startTestRuns, type TestRuns } from '../support/test-runs.js';

/** The app rewrites ind-keys.ttl from its own cache; readers keep the key that they hold all the same. */

const server = sharedSolidServer();
let analyser: InitialisedPod;
let alice: InitialisedPod;
let runs: TestRuns;
let urls: string[];

const start = (of: InitialisedPod, client: SolidClient = of.client) =>
  startTestRuns(server, of, noCharts, { client });

async function prepare(keyVersion: 1 | 2 = 2) {
  analyser = await createInitialisedPod(server, { keyVersion });
  alice = await createContributor(server, analyser, weekly([120, 80, 60]));
  runs = await start(analyser);
  urls = [ownResultAddress(analyser, alice), cohortAddress(analyser)];
}

async function collect() {
  const read = await Promise.all(urls.map((url) => readEncrypted(alice, url)));
  return { keys: read.map(({ key }) => key), texts: read.map(({ text }) => text) };
}

const openBoth = async (held: readonly Buffer[]) =>
  await Promise.all(held.map((key, index) => openWithKey(alice.client, urls[index] ?? '', key)));

async function expectOpen(
  held: readonly Buffer[],
  of: { runs: TestRuns; analyser: InitialisedPod } = { runs, analyser },
) {
  const { document } = await of.runs.run({ caller: alice.pod.webId });
  for (const text of await openBoth(held)) {
    expect(text).toContain(document.generated_at);
  }
  expect((await collect()).keys).toEqual(held);
  expect(await keysForTheApp(of.analyser, urls)).toEqual(held);
  return document;
}

describe('keys that the app has dropped', () => {
  beforeEach(() => prepare());

  test('are put back while the service runs, and the reader opens what comes next', async () => {
    await runs.ask(alice);
    const { keys } = await collect();
    await dropOwnKeys(analyser);
    const { warnings, cohort } = await expectOpen(keys);
    expect(warnings).toEqual([]);
    expect(cohort.included_pod_count).toBe(1);
    expect((await expectOpen(keys)).warnings).toEqual([]);
  });

  test('[7.8] and sealed under others are replaced, so that there is one value for each predicate', async () => {
    await runs.ask(alice);
    const { keys } = await collect();
    const [own = '', cohort = ''] = urls;
    await putOtherKey(analyser, own, randomBytes(32));
    const others = ['"junk"', '"more"', '<x:y>', '5'].map((value) =>
      ['iv', 'sessionKey', 'path']
        .map(
          (name) => `<${cohort}> <https://solidcommunity.au/predicates/terms#${name}> ${value} .`,
        )
        .join('\n'),
    );
    await analyser.client.request(analyser.pod.documents.indKeys, {
      method: 'PATCH',
      headers: { 'content-type': 'application/sparql-update' },
      body: `INSERT DATA { ${others.join('\n')} }`,
    });
    expect((await expectOpen(keys)).warnings).toEqual([]);
    // What does not open the document is not believed.
    expect((await memoryOf(runs)).memory.earlierKeys.size).toBe(0);
  });
});

describe('together with a new master key', () => {
  test('[1.10] while the service runs: the reader opens what comes next', async () => {
    await prepare(1);
    await runs.ask(alice);
    const { keys } = await collect();
    await dropOwnKeys(analyser);
    await rekeyPod(analyser, analyser.securityKey);
    expect((await expectOpen(keys)).warnings).toEqual([]);
  });

  test('[1.10] that the app takes in the midst of an analysis: nothing is written under the old one', async () => {
    await prepare(1);
    await runs.ask(alice);
    const { keys } = await collect();
    let isRekeyed = false;
    const client: SolidClient = {
      ...analyser.client,
      request: async (url, options) => {
        if (url === analyser.pod.documents.indKeys && !isRekeyed) {
          isRekeyed = true;
          await dropOwnKeys(analyser);
          await rekeyPod(analyser, analyser.securityKey);
        }
        return await analyser.client.request(url, options);
      },
    };
    const later = await start(analyser, client);
    await expectOpen(keys, { runs: later, analyser });
    expect(isRekeyed).toBe(true);
  });
});

const otherSpelling = (url: string) => url.replace('.json', '%2Ejson');

describe('a Pod that another implementation has served', () => {
  async function publishAsBefore() {
    await prepare();
    const content = JSON.stringify({ kind: 'pod-average' });
    // No key of anything else is taken over.
    const besides = `${analyser.pod.documents.app}data/notes.json.enc.ttl`;
    const contents = [...urls, besides].map((url) => ({ url, content }));
    const before = await writeEncryptedResources(analyser.client, analyser.pod, contents);
    return urls.map((url) => before.get(url) ?? Buffer.alloc(0));
  }

  test('keeps its keys, also when the app drops them afterwards', async () => {
    const keys = await publishAsBefore();
    expect((await expectOpen(keys)).warnings).toEqual([]);
    expect((await memoryOf(runs)).memory.earlierKeys.size).toBe(2);
    await dropOwnKeys(analyser);
    await expectOpen(keys);
  });

  test('keeps a key that stands there in two spellings, and says of two different ones that neither is kept', async () => {
    const keys = await publishAsBefore();
    const { indKeys } = analyser.pod.documents;
    const [own = '', cohort = ''] = urls;
    const { body } = await analyser.client.request(indKeys);
    const again = [
      writeTurtle(buildIndKeyEntry(own, keys[0] ?? Buffer.alloc(0), analyser.pod)),
      writeTurtle(buildIndKeyEntry(cohort, randomBytes(32), analyser.pod)),
    ].map((entry, index) => entry.replace(urls[index] ?? '', otherSpelling(urls[index] ?? '')));
    await putDocument(analyser.client, indKeys, [body.toString(), ...again].join('\n'));
    const { document } = await runs.run({ caller: alice.pod.webId });
    expect(document.warnings.join()).toContain('1 key of results that were published before');
    expect((await memoryOf(runs)).memory.earlierKeys.size).toBe(1);
    expect(await openWithKey(alice.client, own, keys[0] ?? Buffer.alloc(0))).toContain(
      document.generated_at,
    );
  });

  test('publishes nothing while nobody can tell which keys its readers hold', async () => {
    await publishAsBefore();
    const before = await Promise.all(urls.map((url) => analyser.client.request(url)));
    const { indKeys } = analyser.pod.documents;
    await putDocument(analyser.client, indKeys, 'no Turtle', { contentType: 'text/plain' });
    await expect(runs.ask(alice)).rejects.toThrow(`${indKeys} is not a Turtle document`);
    const after = await Promise.all(urls.map((url) => analyser.client.request(url)));
    expect(after.map(({ body }) => body)).toEqual(before.map(({ body }) => body));
  });
});
