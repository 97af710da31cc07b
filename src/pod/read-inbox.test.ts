import { createPrivateKey, createPublicKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { analyserPod } from '../../test/support/analyser-pod.js';
import { createPrivatePem, openValue, sealValue } from './crypto/rsa.js';
import { shareId, shareStatements } from './formats/shared-keys.js';
import { EntryOpener, type InboxCache, readInbox } from './inbox.js';

const privateKey = createPrivateKey(await createPrivatePem());
const publicKey = createPublicKey(privateKey);
const seal = (text: string) => sealValue(text, publicKey) ?? '';
const root = 'https://pods.example/analyser/';
const pod = analyserPod({ webId: `${root}profile/card#me`, root, appDir: 'app' });

const anna = 'https://pods.example/anna/app/data/';
const [one, two] = [`${anna}1.enc.ttl`, `${anna}2.enc.ttl`];
const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const genuine = (url: string) => shareId(url, pod.webId);

/** Statements of one entry; what is said of one id twice adds to it. */
function entry(id: string, url: string, of = key.toString('base64'), modes = 'read'): string {
  const sealed = { path: seal(url), key: seal(of), accessList: seal(modes) };
  return shareStatements(id, sealed)
    .map(({ subject, predicate, object }) => {
      const value = 'literal' in object ? object.literal : '';
      return `<${subject}> <${predicate}> "${value}".`;
    })
    .join('\n');
}

/** Reads an inbox with these entries; null for none. `opened`: how many values were opened. */
async function read(
  entries: readonly string[] | null,
  question: Partial<Parameters<typeof readInbox>[3]> = {},
) {
  let opened = 0;
  const opener = new EntryOpener(privateKey, (...given) => {
    opened += 1;
    return openValue(...given);
  });
  const body = Buffer.from(entries?.join('\n') ?? '');
  const status = entries === null ? 404 : 200;
  const client = {
    request: (url: string) => Promise.resolve({ status, headers: {}, body, url }),
    close: () => Promise.resolve(),
  };
  const inbox = await readInbox(client, pod, opener, { isInView: () => true, ...question });
  return { ...inbox, opened };
}

test.each([
  ['that nobody has written to', null],
  ['without entries', []],
])('an inbox %s holds nothing', async (_, entries) => {
  expect(await read(entries)).toEqual({ shares: [], notInView: [], warnings: [], opened: 0 });
});

test('[2.1] all keys of an address are kept, those of genuine entries first', async () => {
  const added = entry('added', one, other.toString('base64'));
  const { shares, warnings } = await read([added, entry(genuine(one), one), entry('again', one)]);
  expect(shares).toEqual([{ url: one, keys: [key, other], modes: [] }]);
  expect(warnings).toEqual([]);
});

test('[2.1] what strangers add to a genuine entry takes nothing away', async () => {
  const id = genuine(one);
  const added = entry(id, two, other.toString('base64'));
  const { shares } = await read([added, entry(id, one)]);
  expect(shares).toMatchObject([{ url: one }]);
  expect(shares[0]?.keys).toContainEqual(key);
});

test.each([
  ['two addresses', 0],
  ['two keys', 2],
])('an entry that is not genuine and holds %s is left out', async (_, line) => {
  const more = entry('odd', two, other.toString('base64')).split('\n')[line] ?? '';
  const { shares, warnings } = await read([entry('odd', one), more]);
  expect(shares).toEqual([]);
  expect(warnings.join()).toContain('does not hold exactly one address and one key');
});

test.each([
  ['names no address of a resource', entry('odd', 'not an address')],
  ['holds no key that opens', entry('odd', one, 'no key')],
  ['does not open', entry('odd', one).replaceAll(/path> "[^"]*"/g, `path> "${'A'.repeat(344)}"`)],
  ['holds nothing that could be opened', entry('odd', one).replaceAll(/"[^"]*"/g, '"short"')],
])('[2.1] an entry that %s is left out with a warning, and no other', async (problem, odd) => {
  const { shares, warnings } = await read([odd, entry(genuine(two), two)]);
  expect(shares.map(({ url }) => url)).toEqual([two]);
  expect(warnings).toEqual([`${pod.documents.sharedKeys}: the entry odd ${problem}.`]);
});

test('what is not in view is named, and its keys stay sealed', async () => {
  const entries = [entry(genuine(one), one), entry(genuine(two), two)];
  const { shares, notInView, opened } = await read(entries, { isInView: (url) => url === two });
  expect(shares.map(({ url }) => url)).toEqual([two]);
  expect(notInView).toEqual([one]);
  expect(opened).toBe(3);
});

test('[T3] an objection leaves an entry out, by its address and its spelling', async () => {
  const spelled = one.replace('1', '%31');
  const asked: string[][] = [];
  const objectionTo = (...given: string[]) => {
    asked.push(given);
    return given[0] === one ? 'is not wanted' : null;
  };
  const entries = [entry(genuine(spelled), spelled), entry(genuine(two), two)];
  const { shares, warnings } = await read(entries, { objectionTo });
  expect(asked).toEqual([
    [one, spelled],
    [two, two],
  ]);
  expect(shares.map(({ url }) => url)).toEqual([two]);
  expect(warnings.join()).toContain('is not wanted');
});

test('modes are read if they are asked for: each once, in lower case, and nothing else', async () => {
  const modes = `Write, read, READ,a b,${'x'.repeat(21)},r2`;
  const entries = [entry(genuine(one), one, undefined, modes)];
  const shares = async (withModes: boolean) => (await read(entries, { withModes })).shares;
  expect(await shares(true)).toMatchObject([{ modes: ['read', 'write'] }]);
  expect(await shares(false)).toMatchObject([{ modes: [] }]);
});

test('the same bytes are not opened again, and others are', async () => {
  const cache: InboxCache = { last: null };
  const entries = [entry(genuine(one), one)];
  const first = await read(entries, { cache });
  expect(first.opened).toBe(2);
  expect(await read(entries, { cache })).toEqual({ ...first, opened: 0 });
  const { shares } = await read([...entries, entry(genuine(two), two)], { cache });
  expect(shares.map(({ url }) => url)).toEqual([one, two]);
});
