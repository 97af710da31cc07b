import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { ServerError } from '../base/errors.js';
import type { SolidClient } from '../solid/solid-client.js';
import { encryptContent } from './crypto/content-cipher.js';
import { FolderKeys } from './folder-keys.js';
import { buildEncryptedResource } from './formats/encrypted-resource.js';
import { fetchResource, readResource, refusal, type SharedResource } from './read-resource.js';

const root = 'https://pods.example/alice/';
const folderUrl = `${root}app/data/`;
const url = `${folderUrl}bp.json.enc.ttl`;
const [right, wrong] = [randomBytes(32), randomBytes(32)];
const sealed = (text: string, inheritKeyFrom: string | null = null) => {
  const content = encryptContent(text, right);
  return buildEncryptedResource(url, root, { content, inheritKeyFrom });
};

function read(given: Partial<SharedResource<string>>, user = 'read', text = sealed('[]')) {
  const body = Buffer.from(text);
  const headers = { 'wac-allow': `user="${user}"` };
  const parseText = (text: string) => text;
  const shared = { root, keys: [], folder: null, folderKeys: new FolderKeys(), parseText };
  return readResource({ status: 200, headers, body, url }, { ...shared, ...given });
}

test('a key that gives another text is followed by the others; the one that opened a file is tried first on the next', async () => {
  const texts = [null, '[]'];
  const folder = { url: folderUrl, keys: [Buffer.from(right), wrong, right] };
  const folderKeys = new FolderKeys();
  const parseText = () => texts.shift() ?? null;
  const ofFolder = sealed('[]', 'app/data/');
  expect(await read({ folder, folderKeys, parseText }, 'read', ofFolder)).toEqual({
    kind: 'read',
    read: '[]',
    key: right,
    keyFrom: folderUrl,
  });
  const [next] = folderKeys.candidates({ keys: [], folder });
  expect(next?.key).toBe(right);
});

test('[8.6] what opens and is no reading says which key opened it: so nothing of it is told', async () => {
  const parseText = () => null;
  const why = { kind: 'not read', because: 'no reading', cause: '' };
  expect(await read({ keys: [right], parseText })).toMatchObject({ ...why, key: right });
  expect(await read({ keys: [wrong], parseText })).toMatchObject({ ...why, because: 'no key' });
});

test.each<[string | null, string | null, string | null]>([
  ['app/data/', folderUrl, null],
  ['/app/data', folderUrl, null],
  ['app/', `${root}app/`, 'no key'],
  ['app/data/deeper/', `${folderUrl}deeper/`, 'no key'],
  ['../', null, 'no key'],
  [null, null, 'no key'],
])(
  '[T10][4.8] the key of its folder is tried on a file only if the file takes it from there: from %s',
  async (from, keyFrom, because) => {
    const text = sealed('[]', from);
    const folder = { url: folderUrl, keys: [right] };
    const why = because ?? undefined;
    expect(await read({ folder }, 'read', text)).toMatchObject(
      because === null ? { keyFrom } : { because: why },
    );
    // Its own key opens it, whatever it says.
    expect(await read({ folder, keys: [right] }, 'read', text)).toMatchObject({
      key: right,
      keyFrom,
    });
    // Others may have put another file of the folder in its place, and an entry with the folder's key beside it.
    expect(await read({ folder }, 'read write', text)).toMatchObject({ because: 'writable' });
    expect(await read({ folder, keys: [right] }, 'read write', text)).toMatchObject(
      keyFrom === null ? { key: right } : { because: 'writable' },
    );
  },
);

test.each<[string | null, Partial<SharedResource<string>>, boolean]>([
  [null, {}, false],
  [null, { keys: [wrong] }, true],
  ['app/data/', {}, true],
  ['app/', {}, false],
])(
  'a file that takes its key from %s is told whether one was meant for it: %j',
  async (from, given, isMeant) => {
    const folder = { url: folderUrl, keys: [wrong] };
    const reason = isMeant ? 'could not be decrypted' : 'no key has been shared for this resource';
    expect(await read({ folder, ...given }, 'read', sealed('[]', from))).toMatchObject({ reason });
  },
);

class Exhausted extends FolderKeys {
  override get isExhausted(): boolean {
    return true;
  }
}

test.each<[string, Partial<SharedResource<string>>, string, string]>([
  ['that may be too many', { keys: [wrong], folderKeys: new Exhausted() }, 'read', 'limit'],
  ['of its own, where others may write', { keys: [wrong] }, 'read write', 'no key'],
  ['of none, where others may write', {}, 'read write', 'writable'],
])('a file that is opened by no key %s', async (_, given, user, because) => {
  expect(await read(given, user)).toMatchObject({ because });
});

const most = 4 * 1024 * 1024;
const textOf = (length: number) => '[]'.padEnd(length, ' ');

test.each([
  ['fits', 'sealed', sealed(textOf(most - 1)), { kind: 'read' }],
  ['is too large', 'sealed', sealed(textOf(most + 1)), { because: 'too large' }],
  ['fits', 'plain', textOf(most), { kind: 'read' }],
  ['is too large', 'plain', textOf(most + 1), { because: 'too large' }],
])('a file of about 4 MB %s, %s', async (_fits, _how, text, expected) => {
  expect(await read({ keys: [right] }, 'read', text)).toMatchObject(expected);
});

test('of a file no more is fetched than a text of the largest size takes when sealed', async () => {
  const bounds: unknown[] = [];
  const client: SolidClient = {
    request(address, options) {
      bounds.push(options?.maxBytes);
      return Promise.reject(new ServerError('too-large', 'It is larger.', { url: address }));
    },
    close: () => Promise.resolve(),
  };
  expect(await fetchResource(client, url, {})).toMatchObject({ because: 'too large' });
  expect(bounds).toEqual([6 * 1024 * 1024]);
});

test.each([
  [403, 'refused'],
  [404, 'refused'],
  [410, 'refused'],
  [401, 'other answer'],
  [402, 'other answer'],
  [451, 'other answer'],
])('[4.4] only a refusal of the file can end its share: HTTP %i is %s', (status, because) => {
  expect(refusal(status)).toMatchObject({ because });
});
