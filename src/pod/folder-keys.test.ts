import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { FolderKeys, type KeyedFile } from './folder-keys.js';

const root = 'https://pods.example/alice/';
const data = `${root}app/data/`;
const deep = `${data}blood_pressure/`;
const key = () => randomBytes(32);
const file = (changes: Partial<KeyedFile> = {}): KeyedFile => ({
  url: `${deep}bp.json.enc.ttl`,
  root,
  keys: [],
  inheritKeyFrom: null,
  ...changes,
});
const keysOf = (folders: FolderKeys, one: KeyedFile) =>
  [...folders.candidates(one)].map((candidate) => candidate.key);

test('own keys come first, then those of the folder it names, then of folders around it', () => {
  const [own, named, around, foreign] = [key(), key(), key(), key()];
  const folders = new FolderKeys(
    new Map([
      [deep, [around]],
      [data, [named]],
      ['https://pods.example/bob/app/data/', [foreign]],
    ]),
  );
  const keyed = file({ keys: [own], inheritKeyFrom: 'app/data/' });
  expect([...folders.candidates(keyed)]).toEqual([
    { key: own, folder: null },
    { key: named, folder: data },
    { key: around, folder: deep },
  ]);
});

test('what opened another file of the folder is tried first, and the lists stay as they are', () => {
  const [own, wrong, right] = [key(), key(), key()];
  const list = [wrong, right];
  const folders = new FolderKeys(new Map([[deep, list]]));
  const walking = folders.candidates(file({ keys: [own] }));
  walking.next();
  folders.proved({ key: right, folder: deep });
  expect(keysOf(folders, file({ keys: [own] }))).toEqual([right, own, wrong]);
  // Somebody else was half through already, and misses none.
  expect([...walking].map((candidate) => candidate.key)).toEqual([wrong, right]);
  expect(list).toEqual([wrong, right]);
});

test('a folder above the Pod, or of another, has no say', () => {
  const folders = new FolderKeys(new Map([['https://pods.example/', [key()]]]));
  expect(keysOf(folders, file({ inheritKeyFrom: '../' }))).toEqual([]);
});

test.each([
  ['nothing', file(), false],
  ['its own key', file({ keys: [key()] }), true],
  ['the key of the folder it names', file({ inheritKeyFrom: 'app/data/' }), true],
  ['the key of another folder', file({ inheritKeyFrom: 'app/' }), false],
])('with %s shared, a key was meant for it: %s', (_, one, isMeant) => {
  expect(new FolderKeys(new Map([[data, [key()]]])).hasMeantKey(one)).toBe(isMeant);
});

test('keys without end are judged up to a bound, and the right one of the folder still opens', () => {
  const right = key();
  const many = Array.from({ length: 300_000 }, () => Buffer.alloc(32));
  const folders = new FolderKeys(new Map([[deep, many]]));
  const judged = () => keysOf(folders, file()).length;
  expect([judged(), judged(), judged(), judged()]).toEqual([300_000, 300_000, 300_000, 100_000]);
  folders.proved({ key: right, folder: deep });
  expect(keysOf(folders, file())).toEqual([right]);
  const other = file({ url: 'https://pods.example/bob/app/x', root: 'https://pods.example/bob/' });
  expect(keysOf(folders, { ...other, keys: [right] })).toEqual([right]);
});
