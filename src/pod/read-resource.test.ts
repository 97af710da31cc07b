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
const sealed = (text: string) => {
  const content = encryptContent(text, right);
  return buildEncryptedResource(url, root, { content, inheritKeyFrom: null });
};

function read(given: Partial<SharedResource<string>>, user = 'read', text = sealed('[]')) {
  const body = Buffer.from(text);
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

const most = 4 * 1024 * 1024;
const textOf = (length: number) => '[]'.padEnd(length, ' ');

test.each([
  ['fits', 'sealed', sealed(textOf(most - 1)), { kind: 'read' }],
  ['is too large', 'sealed', sealed(textOf(most + 1)), { because: 'too large' }],
  ['fits', 'plain', textOf(most), { kind: 'read' }],
  ['is too large', 'plain', textOf(most + 1), { because: 'too large' }],
])('a file of about 4 MB %s, %s', (_fits, _how, text, expected) => {
  expect(read({ keys: [right] }, 'read', text)).toMatchObject(expected);
});
