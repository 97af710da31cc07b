import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openValue, sealValue } from '../../src/pod/crypto/rsa.js';
import { shareId, shareStatements } from '../../src/pod/formats/shared-keys.js';
import { writeTurtle } from '../../src/pod/formats/vocabulary.js';
import { EntryOpener, type InboxCache, readInbox } from '../../src/pod/inbox.js';
import { findRecipientPod } from '../../src/pod/sharing/share-entries.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';

const server = sharedSolidServer();
const [analyser, stranger] = await Promise.all([
  createInitialisedPod(server),
  createInitialisedPod(server),
]);
const recipient = await findRecipientPod(stranger.client, analyser.pod.webId, 'app');
const opened: string[] = [];
const opener = new EntryOpener(analyser.pod.privateKey, (sealed, key) => {
  opened.push(sealed);
  return openValue(sealed, key);
});

const fileUrl = 'https://pods.example/alice/app/data/blood_pressure/bp.json.enc.ttl';
const realKey = randomBytes(32);
const seal = (text: string) => sealValue(text, recipient.publicKey) ?? '';
const sealKey = (key: Buffer) => seal(key.toString('base64'));

function entry(id: string, path: string, key: string): string {
  return writeTurtle(shareStatements(id, { path, key, accessList: seal('Read') }));
}

function genuine(url = fileUrl, key = realKey): string {
  return entry(shareId(url, analyser.pod.webId), seal(url), sealKey(key));
}

/** As a stranger may: the inbox is open to everybody. */
async function fillInbox(...parts: string[]): Promise<void> {
  const answer = await stranger.client.request(analyser.pod.documents.sharedKeys, {
    method: 'PUT',
    headers: { 'content-type': 'text/turtle' },
    body: parts.join('\n'),
  });
  expect(answer.status).toBeLessThan(300);
}

function read(isInView: (url: string) => boolean = () => true, cache?: InboxCache) {
  return readInbox(analyser.client, analyser.pod, opener, { isInView, ...(cache && { cache }) });
}

describe('[2.1] what strangers add takes no genuine entry away', () => {
  const id = () => shareId(fileUrl, analyser.pod.webId);
  const wrongKey = randomBytes(32);

  test.each([
    ['a second address', () => entry(id(), seal('https://evil.example/x'), sealKey(realKey))],
    ['values that are no base64', () => entry(id(), '***'.repeat(100), '***'.repeat(100))],
    ['values that do not open', () => entry(id(), 'A'.repeat(344), 'A'.repeat(344))],
    ['values that are too short', () => entry(id(), 'x', 'y')],
    ['a value of ten million bytes', () => entry(id(), 'x'.repeat(10_000_000), seal('x'))],
    ['another entry without a key', () => entry('f'.repeat(64), seal(fileUrl), seal('no key'))],
  ])('%s', async (_, addition) => {
    await fillInbox(addition(), genuine());
    const { shares } = await read();
    expect(shares).toMatchObject([{ url: fileUrl, keys: [realKey] }]);
  });

  test('a second key, in the same entry or in another, is only one more to try, that of another last', async () => {
    const keyOfAnother = randomBytes(32);
    await fillInbox(
      entry('another', seal(fileUrl.replace('bp.json', '%62p.json')), sealKey(keyOfAnother)),
      entry(id(), seal(fileUrl), sealKey(wrongKey)),
      genuine(),
    );
    const { shares, warnings } = await read();
    expect(shares).toHaveLength(1);
    expect(new Set(shares[0]?.keys)).toEqual(new Set([wrongKey, realKey, keyOfAnother]));
    expect(shares[0]?.keys.at(-1)).toEqual(keyOfAnother);
    expect(warnings).toEqual([]);
  });
});

describe('an entry that cannot be used is a warning that names the inbox', () => {
  test.each([
    [
      'an id that fits none of several addresses',
      () => entry('x', seal('a'), seal('b')) + entry('x', seal('c'), seal('d')),
      'does not hold exactly one address and one key',
    ],
    [
      'no key',
      () => entry('x', seal(fileUrl), ''),
      'does not hold exactly one address and one key',
    ],
    [
      'an address that does not open',
      () => entry('x', 'A'.repeat(344), sealKey(realKey)),
      'does not open',
    ],
    [
      'an address that is no UTF-8',
      () => entry('x', 'A'.repeat(343), sealKey(realKey)),
      'does not open',
    ],
    [
      'no address',
      () => entry('x', seal('not an address'), sealKey(realKey)),
      'names no address of a resource',
    ],
    [
      'a hostile address',
      () => entry('x', seal('https://user@host/a'), sealKey(realKey)),
      'names no address of a resource',
    ],
    [
      'a key of another length',
      () => entry('x', seal(fileUrl), sealKey(randomBytes(16))),
      'holds no key that opens',
    ],
    [
      'nothing sealed at all',
      () => entry('x', 'a', 'b').replaceAll(/"[^"]{100,}"/g, '"c"'),
      'holds nothing that could be opened',
    ],
  ])('[2.1] %s', async (_, bad, reason) => {
    await fillInbox(bad(), genuine('https://pods.example/bob/app/data/x'));
    const { shares, warnings } = await read();
    expect(shares).toHaveLength(1);
    expect(warnings).toEqual([`${analyser.pod.documents.sharedKeys}: the entry x ${reason}.`]);
  });

  test('hundreds of a kind are cut short', async () => {
    await fillInbox(
      ...Array.from({ length: 300 }, (_, index) =>
        entry(`x${index}`, 'A'.repeat(344), 'A'.repeat(344)),
      ),
    );
    const { warnings } = await read();
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toBe('… and 280 more: an entry does not open');
  });
});

test('what is not in view is named, and its key stays sealed', async () => {
  const sealed = sealKey(realKey);
  await fillInbox(genuine(), entry('x', seal('https://pods.example/bob/notes/'), sealed));
  const { shares, notInView, warnings } = await read((url) => url.includes('/data/'));
  expect(shares.map(({ url }) => url)).toEqual([fileUrl]);
  expect(notInView).toEqual(['https://pods.example/bob/notes/']);
  expect(warnings).toEqual([]);
  expect(opened).not.toContain(sealed);
});

test('an inbox that has not changed is not opened again; what it no longer holds is forgotten', async () => {
  const [kept, removed] = [genuine(), genuine('https://pods.example/bob/app/data/x')];
  const cache: InboxCache = { last: null };
  const readNow = async (...entries: string[]) => {
    await fillInbox(...entries);
    const before = opened.length;
    const { shares } = await read(undefined, cache);
    return { shares: shares.length, opened: opened.length - before };
  };
  expect(await readNow(kept, removed)).toEqual({ shares: 2, opened: 4 });
  const { last } = cache;
  expect(await read(undefined, cache)).toBe(last?.inbox);
  expect(await readNow(kept)).toEqual({ shares: 1, opened: 0 });
  expect(await readNow(kept, removed)).toEqual({ shares: 2, opened: 2 });
});

test('an inbox in a folder that nobody wrote to is empty', async () => {
  const { client, pod } = stranger;
  const own = new EntryOpener(pod.privateKey);
  const inbox = await readInbox(client, pod, own, { isInView: () => true });
  expect(inbox).toMatchObject({ shares: [], notInView: [], warnings: [] });
});

test('keys do not hold on to the memory in which their entries were opened', async () => {
  const urls = Array.from({ length: 100 }, (_, index) => fileUrl.replace('bp.', `bp_${index}.`));
  await fillInbox(...urls.map((url) => genuine(url, randomBytes(32))));
  const keys = (await read()).shares.flatMap((share) => share.keys);
  // Blocks of the pool of small buffers; without a copy there were ten of 8 kB. Later versions of Node.js have larger ones.
  const blocks = new Set(keys.map(({ buffer }) => buffer));
  expect(blocks.size).toBeLessThanOrEqual(2);
});
