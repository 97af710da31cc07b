import { beforeEach, describe, expect, test } from 'vitest';
import { keyOf, publishers, publishingOf } from '../../../test/support/publishing.js';
import { refuse } from '../../../test/support/recording-client.js';
import { keyedDigest } from '../../../test/support/table.js';
import { emptyMemory, MOST_EARLIER_KEYS } from '../../memory/memory.js';
import { deriveDocumentKey } from '../../pod/crypto/document-key.js';
import { buildIndKeyEntry } from '../../pod/formats/ind-keys.js';
import { writeTurtle } from '../../pod/formats/vocabulary.js';
import { findResourceKeys } from '../../pod/resource-keys.js';
import { documentKeys, storeKeys, takeOverKeys } from './document-keys.js';

const { server, analyser } = await publishers();
const { pod, client } = analyser;
const { indKeys } = pod.documents;
const results = `${pod.root}app/data/analyser/`;
const pathOf = (url: string) => url.slice(pod.root.length);
const urlOf = (name: string) => `${results}${name}/bp-average.json.enc.ttl`;
const [anna, ben, cleo] = [urlOf('anna'), urlOf('ben'), urlOf('cleo')];
const derived = (url: string) => deriveDocumentKey(pod.privateKey, pathOf(url));
const memory = emptyMemory();

/** The Pod names these keys. */
const naming = (...keys: [url: string, key: Buffer][]) =>
  server.put(indKeys, writeTurtle(keys.flatMap(([url, key]) => buildIndKeyEntry(url, key, pod))));
const namedFor = async (...urls: string[]) => [...(await findResourceKeys(client, pod, urls))];

beforeEach(() => naming());

test('[7.3] a document has the key that follows from its path, or the earlier one that recipients hold', () => {
  const earlierKeys = new Map([[keyedDigest('path', pathOf(anna)), keyOf('earlier')]]);
  const keyFor = documentKeys({ pod }, { memory: { ...memory, earlierKeys }, keyedDigest });
  expect([keyFor(anna), keyFor(ben)]).toEqual([keyOf('earlier'), derived(ben)]);
  expect(keyFor(ben).equals(keyFor(cleo))).toBe(false);
});

describe('keys of results that were published before', () => {
  const taken = (before = memory) =>
    takeOverKeys({ client, pod }, results, { memory: before, keyedDigest });

  test('are taken over, but those that follow from the path, and those of other files', async () => {
    const other = `${pod.root}app/data/blood_pressure/1.enc.ttl`;
    naming([anna, keyOf('of anna')], [ben, derived(ben)], [other, keyOf('other')]);
    const kept = { ...memory, earlierKeys: new Map([['known', keyOf('known')]]) };
    expect(await taken(kept)).toEqual({
      memory: {
        ...memory,
        earlierKeys: new Map([
          ['known', keyOf('known')],
          [keyedDigest('path', pathOf(anna)), keyOf('of anna')],
        ]),
      },
      notices: [],
    });
  });

  test('that cannot be told are counted, and none of them is taken over', async () => {
    naming([anna, keyOf('one')], [anna, keyOf('other')], [ben, Buffer.alloc(3)]);
    const { memory: after, notices } = await taken();
    expect(after).toEqual(memory);
    expect(notices).toEqual([expect.stringMatching(/^2 keys of results that were published/)]);
  });

  test('are taken over as far as there is room', async () => {
    naming([anna, keyOf('of anna')], [ben, keyOf('of ben')]);
    const known = Array.from(
      { length: MOST_EARLIER_KEYS - 1 },
      (_, nth) => [`known ${nth}`, keyOf('known')] as const,
    );
    const { memory: after } = await taken({ ...memory, earlierKeys: new Map(known) });
    const added = [...after.earlierKeys.keys()].slice(known.length);
    expect(added).toEqual([keyedDigest('path', pathOf(anna))]);
  });
});

describe('the keys of documents', () => {
  const [ofAnna, ofBen] = [
    { url: anna, key: keyOf('anna') },
    { url: ben, key: keyOf('ben') },
  ];

  test('are written where the app looks for them, if one is missing or differs', async () => {
    for (const before of [[], [[anna, keyOf('wrong')]], [[anna, ofAnna.key]]] as const) {
      naming(...before.map(([url, key]): [string, Buffer] => [url, key]));
      const publishing = publishingOf(analyser, client);
      expect(await storeKeys(publishing, [ofAnna, ofBen])).toEqual([]);
      expect(await namedFor(anna, ben)).toEqual([
        [anna, ofAnna.key],
        [ben, ofBen.key],
      ]);
    }
  });

  test('are only looked at where they stand already; of plain documents there are none', async () => {
    naming([anna, ofAnna.key], [ben, ofBen.key]);
    const publishing = publishingOf(analyser, client);
    expect(await storeKeys(publishing, [ofAnna, ofBen, { url: cleo, key: null }])).toEqual([]);
    expect(publishing.requests.map(({ method, url }) => [method, url])).toEqual([['GET', indKeys]]);
    const plain = publishingOf(analyser, client);
    expect(await storeKeys(plain, [{ url: anna, key: null }])).toEqual([]);
    expect(plain.requests).toEqual([]);
  });

  test('that cannot be written are a warning, and a fault of ours is none', async () => {
    const refusing = refuse(client, (_, { method } = {}) => method === 'PATCH');
    expect(await storeKeys(publishingOf(analyser, refusing), [ofAnna])).toEqual([
      `The keys of published documents could not be written to ${indKeys}, where the app looks for them: ${indKeys} answered HTTP 507. The next analysis tries again.`,
    ]);
    const broken = { ...client, request: () => Promise.reject(new TypeError('A bug.')) };
    await expect(storeKeys(publishingOf(analyser, broken), [ofAnna])).rejects.toThrow('A bug.');
  });

  test('are written with all that they need through the client whose time is limited', async () => {
    const { connection } = publishingOf(analyser, client);
    const { analyserPod, requests } = publishingOf(analyser, client);
    expect(await storeKeys({ connection, analyserPod }, [ofAnna])).toEqual([]);
    const urls = new Set(requests.map(({ url }) => url));
    expect(urls).toEqual(new Set([indKeys, pod.documents.encKeys]));
  });

  test('are sealed with the master key of the moment, which is forgotten, and that of the analysis is not', async () => {
    const publishing = publishingOf(analyser, client);
    const { connection } = publishing;
    for (const isSame of [true, false]) {
      naming();
      let disposed = 0;
      const dispose = () => void (disposed += 1);
      connection.pod = { ...pod, dispose };
      const masterKey = Buffer.alloc(32, 9);
      const now = isSame ? connection.pod : { ...pod, masterKey, dispose };
      connection.unlockedNow = () => Promise.resolve(now);
      expect(await storeKeys(publishing, [ofAnna])).toEqual([]);
      expect(disposed).toBe(isSame ? 0 : 1);
      expect([...(await findResourceKeys(client, now, [anna]))]).toEqual([[anna, ofAnna.key]]);
    }
  });
});
