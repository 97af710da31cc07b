import { createPrivateKey, type KeyObject, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EntryOpener } from './crypto/entry-opener.js';
import { createKeyPair, readPublicKeyBody, sealValue } from './crypto/rsa.js';
import { shareId } from './crypto/share-id.js';
import type { SealedEntry } from './documents/sealed-entries.js';
import { openShares } from './open-shares.js';
import { createOpenedShares, type OpenedShares } from './opened-share.js';

const webId = 'https://pods.example/analyser/profile/card#me';
const addresses = Array.from(
  { length: 1200 },
  (_, index) => `https://pods.example/b/app/d/${index}`,
);
const openers: EntryOpener[] = [];

let privateKey: KeyObject;
let entries: SealedEntry[];

beforeAll(async () => {
  const { privatePem, publicBody } = await createKeyPair();
  privateKey = createPrivateKey(privatePem);
  const publicKey = readPublicKeyBody(publicBody);
  const seal = (text: string) => (publicKey && sealValue(text, publicKey)) ?? '';
  const key = seal(randomBytes(32).toString('base64'));
  entries = addresses.map((url) => {
    const share = { id: shareId(url, webId), paths: [seal(url)], keys: [key], accessLists: [] };
    return { name: `the entry of ${url}`, load: () => share };
  });
});
afterAll(() => Promise.all(openers.map((opener) => opener.dispose())));

function createReader(
  memory: OpenedShares,
  signal?: AbortSignal,
  onOpened = (): void => undefined,
) {
  const counts = { remembered: 0, opened: 0 };
  const opener = new EntryOpener(privateKey, {
    onAsked(remembered, opened) {
      counts.remembered += remembered;
      counts.opened += opened;
      onOpened();
    },
  });
  openers.push(opener);
  const wanted = (_url: string) => true;
  return { counts, reader: { webId, opener, memory, wanted, withModes: false, signal } };
}

test('what was opened before an abort is not opened again', async () => {
  const memory = createOpenedShares();
  const stop = new AbortController();
  const first = createReader(memory, stop.signal, () => {
    // The addresses and the keys of at least one batch are there.
    if (first.counts.opened >= 1000) stop.abort(new Error('cancelled'));
  });
  await expect(openShares(entries, first.reader)).rejects.toThrow('cancelled');

  const { counts, reader } = createReader(memory);
  const opened = await openShares(entries, reader);
  expect(opened.map((share) => ('url' in share ? share.url : null))).toEqual(addresses);
  expect(counts.remembered).toBeGreaterThan(0);
  expect(counts.remembered + counts.opened).toBe(2 * addresses.length);
});

test('what was not wanted is opened when it is, and nothing else twice', async () => {
  const memory = createOpenedShares();
  const isOdd = (url: string) => /[13579]$/.test(url);
  const first = createReader(memory);
  const half = await openShares(entries, { ...first.reader, wanted: isOdd });
  expect(half.filter((share) => 'keys' in share && share.keys === null)).toHaveLength(600);
  expect(first.counts).toEqual({ remembered: 0, opened: 1800 });

  const { counts, reader } = createReader(memory);
  const all = await openShares(entries, reader);
  expect(all.every((share) => 'keys' in share && share.keys?.length === 1)).toBe(true);
  expect(counts).toEqual({ remembered: 1200, opened: 1200 });
});

test('what stands in the inbox no longer is forgotten', async () => {
  const memory = createOpenedShares();
  await openShares(entries, createReader(memory).reader);
  memory.endRun();
  await openShares(entries.slice(0, 1000), createReader(memory).reader);
  memory.endRun();
  const { counts, reader } = createReader(memory);
  await openShares(entries, reader);
  expect(counts).toEqual({ remembered: 2000, opened: 400 });
});
