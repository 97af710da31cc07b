import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { FolderKeys, type KeyedFile } from './folder-keys.js';

const url = 'https://pods.example/alice/app/data/';
const key = () => randomBytes(32);
const file = (changes: Partial<KeyedFile> = {}): KeyedFile => ({
  keys: [],
  folder: null,
  ...changes,
});
const keysOf = (folderKeys: FolderKeys, one: KeyedFile) =>
  [...folderKeys.candidates(one)].map((candidate) => candidate.key);

test('own keys come first, then those of the folder', () => {
  const [own, ofFolder] = [key(), key()];
  const folder = { url, keys: [ofFolder] };
  const one = file({ keys: [own], folder });
  expect([...new FolderKeys().candidates(one)]).toEqual([
    { key: own, folder: null },
    { key: ofFolder, folder: url },
  ]);
});

test('what opened another file of the folder is tried first', () => {
  const [own, wrong, right] = [key(), key(), key()];
  const list = [wrong, right];
  const folder = { url, keys: list };
  const folderKeys = new FolderKeys();
  const walking = folderKeys.candidates(file({ keys: [own], folder }));
  walking.next();
  folderKeys.proved({ key: right, folder: url });
  expect(keysOf(folderKeys, file({ keys: [own], folder }))).toEqual([right, own, wrong]);
  // Somebody else was half through already, and misses none.
  expect([...walking].map((candidate) => candidate.key)).toEqual([wrong, right]);
  expect(list).toEqual([wrong, right]);
});

test('[3.2] keys without end are judged up to a bound, and the right one of the folder still opens', () => {
  const right = key();
  const [remembered = right, ...more] = Array.from({ length: 300_000 }, () => Buffer.alloc(32));
  const keys = [remembered, ...more];
  const one = file({ folder: { url, keys } });
  const folderKeys = new FolderKeys();
  const judged = () => keysOf(folderKeys, one).length;
  expect([judged(), judged(), judged()]).toEqual([300_000, 300_000, 300_000]);
  expect(folderKeys.isExhausted).toBe(false);
  // The first key of each file is not counted.
  expect(judged()).toBe(1 + 1_000_000 - 3 * 299_999);
  expect(folderKeys.isExhausted).toBe(true);
  // The first one is tried all the same: it is the remembered one, and no file was read before that it opens.
  expect(keysOf(folderKeys, one)).toEqual([remembered]);
  folderKeys.proved({ key: right, folder: url });
  expect(keysOf(folderKeys, one)).toEqual([right, remembered]);
});
