import { createPrivateKey, randomBytes } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { createKeyPair, readPublicKeyBody, sealValue } from '../crypto/rsa.js';
import { shareId } from '../documents/shared-keys.js';
import { EntryOpener } from './entry-opener.js';
import { openEntries } from './open-entries.js';

const webId = 'https://pods.example/analyser/profile/card#me';
const addresses = Array.from(
  { length: 1200 },
  (_, index) => `https://pods.example/b/app/d/${index}`,
);
const openers: EntryOpener[] = [];

const { privatePem, publicBody } = await createKeyPair();
const privateKey = createPrivateKey(privatePem);
const publicKey = readPublicKeyBody(publicBody);
const seal = (text: string) => (publicKey && sealValue(text, publicKey)) ?? '';
const key = seal(randomBytes(32).toString('base64'));
const entries = addresses.map((url) => ({
  id: shareId(url, webId),
  sealedPaths: [seal(url)],
  sealedKeys: [key],
  sealedAccessLists: [],
}));
afterAll(() => Promise.all(openers.map((opener) => opener.dispose())));

function createReader(signal?: AbortSignal, onOpened = (): void => undefined) {
  const counts = { opened: 0 };
  const opener = new EntryOpener(privateKey, (opened) => {
    counts.opened += opened;
    onOpened();
  });
  openers.push(opener);
  return {
    counts,
    reader: {
      webId,
      opener,
      wanted: (_: string) => true,
      objectionTo: () => null,
      withModes: false,
      signal,
    },
  };
}

test('what was opened before an abort is not opened again', async () => {
  const stop = new AbortController();
  // All share one key, so the addresses are what there is to open first.
  const { counts, reader } = createReader(stop.signal, () => stop.abort(new Error('cancelled')));
  await expect(openEntries(entries, reader)).rejects.toThrow('cancelled');
  expect(counts.opened).toBeGreaterThan(0);

  const opened = await openEntries(entries, { ...reader, signal: undefined });
  expect(opened.map((entry) => ('url' in entry ? entry.url : null))).toEqual(addresses);
  expect(counts.opened).toBe(addresses.length + 1);
});

test('what was not wanted is opened when it is, and nothing else twice', async () => {
  const { counts, reader } = createReader();
  const isOdd = (url: string) => /[13579]$/.test(url);
  const half = await openEntries(entries, { ...reader, wanted: isOdd });
  expect(half.filter((entry) => 'keys' in entry && entry.keys === null)).toHaveLength(600);
  const before = counts.opened;
  const all = await openEntries(entries, reader);
  expect(all.every((entry) => 'keys' in entry && entry.keys?.length === 1)).toBe(true);
  expect(counts.opened).toBe(before);
});

test('what stands in the inbox no longer is forgotten', async () => {
  const { counts, reader } = createReader();
  await openEntries(entries, reader);
  reader.opener.forgetUnasked();
  await openEntries(entries.slice(0, 1000), reader);
  reader.opener.forgetUnasked();
  const before = counts.opened;
  await openEntries(entries, reader);
  expect(counts.opened - before).toBe(200);
});

test('a value that does not open is tried once', async () => {
  const { counts, reader } = createReader();
  const broken = [
    {
      id: 'x',
      sealedPaths: ['A'.repeat(344)],
      sealedKeys: ['B'.repeat(344)],
      sealedAccessLists: [],
    },
  ];
  await openEntries(broken, reader);
  await openEntries(broken, reader);
  expect(counts.opened).toBe(1);
});
