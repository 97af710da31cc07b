import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { encryptContent } from './crypto/content-cipher.js';
import { FolderKeys } from './folder-keys.js';
import { buildEncryptedResource } from './formats/encrypted-resource.js';
import { readResource, type SharedResource } from './read-resource.js';

const root = 'https://pods.example/alice/';
const folderUrl = `${root}app/data/`;
const url = `${folderUrl}bp.json.enc.ttl`;
const [right, wrong] = [randomBytes(32), randomBytes(32)];
const content = encryptContent('[]', right);
const body = Buffer.from(buildEncryptedResource(url, root, { content, inheritKeyFrom: null }));

function read(given: Partial<SharedResource<string>>, user = 'read') {
  const headers = { 'wac-allow': `user="${user}"` };
  const parseText = (text: string) => text;
  const shared = { root, keys: [], folder: null, folderKeys: new FolderKeys(), parseText };
  return readResource({ status: 200, headers, body, url }, { ...shared, ...given });
}

test('a key that gives another text is followed by the others; the one that opened a file is tried first on the next', () => {
  const texts = [null, '[]'];
  const folder = { url: folderUrl, keys: [Buffer.from(right), wrong, right] };
  const folderKeys = new FolderKeys();
  const parseText = () => texts.shift() ?? null;
  expect(read({ folder, folderKeys, parseText })).toEqual({
    kind: 'read',
    read: '[]',
    key: right,
    inherits: false,
  });
  const [next] = folderKeys.candidates({ root, keys: [], folder, inheritKeyFrom: null });
  expect(next?.key).toBe(right);
});

class Exhausted extends FolderKeys {
  override get isExhausted(): boolean {
    return true;
  }
}

test.each<[string, Partial<SharedResource<string>>, string, string]>([
  ['that may be too many', { keys: [wrong], folderKeys: new Exhausted() }, 'read', 'limit'],
  ['of its own, where others may write', { keys: [wrong] }, 'read write', 'no key'],
  ['of none, where others may write', {}, 'read write', 'writable'],
])('a file that is opened by no key %s', (_, given, user, because) => {
  expect(read(given, user)).toMatchObject({ because });
});
