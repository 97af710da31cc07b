import { describe, expect, test } from 'vitest';
import type { OpenTo } from '../pod/public-access.js';
import {
  acceptingServers,
  type Fate,
  type FileFate,
  type FolderFate,
  fatesOfShares,
} from './fate.js';

const home = 'https://pods.example';
const away = 'https://other.example';
const folder = `${home}/anna/app/data/`;
const key = Buffer.alloc(32, 1);
const listed: Fate = { kind: 'read', key: null, folder: null };
const byFolder: Fate = { kind: 'read', key, folder };
const byItself: Fate = { kind: 'read', key, folder: null };
const refused: Fate = { kind: 'ended', by: 'refusal' };
const unopened: Fate = { kind: 'ended', by: 'key' };
const isPublic: Fate = { kind: 'ended', by: 'public' };
const silent: Fate = { kind: 'missing', because: 'silence' };
const odd: Fate = { kind: 'missing', because: 'answer' };
const late: Fate = { kind: 'not asked' };

const file = (name: string, fate: Fate, openTo: OpenTo = 'some'): FileFate => ({
  url: `${folder}${name}`,
  listedIn: folder,
  fate,
  openTo,
});

function fateOfFolder(listing: Fate, files: readonly Fate[]): Fate | undefined {
  const folders: FolderFate[] = [{ url: folder, fate: listing, openTo: 'some' }];
  const all = files.map((fate, index) => file(`${index}.enc.ttl`, fate));
  return fatesOfShares([folder], { files: all, folders }, new Set([home])).get(folder);
}

describe('a shared folder', () => {
  test.each<[string, Fate, Fate[], Fate]>([
    ['that may not be listed has ended', refused, [], refused],
    ['that cannot be listed is missing', silent, [], silent],
    ['is read with the key that opened a file', listed, [unopened, byFolder, refused], byFolder],
    ['with a plain file that counts is read', listed, [listed, odd], listed],
    ['is read although a new file has another answer', listed, [byFolder, odd], byFolder],
    ['with a file without an answer is missing', listed, [byFolder, silent], silent],
    ['with a file that nobody had time for is not asked', listed, [byFolder, late], late],
    ['without an answer counts more than without time', listed, [late, silent], silent],
    ['whose key opens nothing has ended', listed, [unopened, odd], unopened],
    ['whose files have keys of their own has ended', listed, [byItself], unopened],
    ['that may open what gave no answer has not ended', listed, [unopened, silent], silent],
    ['of which every file is refused has ended', listed, [refused, refused], refused],
    ['whose files everybody may read has ended', listed, [isPublic], isPublic],
    ['that is empty is missing', listed, [], odd],
    ['with plain files in place of its own is missing', listed, [odd, refused], odd],
  ])('%s', (_name, listing, files, expected) => {
    expect(fateOfFolder(listing, files)).toEqual(expected);
  });
});

describe('a refusal', () => {
  const url = `${away}/bob/app/data/one.enc.ttl`;
  const bob = {
    files: [{ url, listedIn: null, fate: refused, openTo: 'unknown' as const }],
    folders: [],
  };

  test('of a server that accepted no login ends nothing', () => {
    expect(fatesOfShares([url], bob, acceptingServers([bob], home)).get(url)).toEqual(odd);
  });

  const other = (name: string, openTo: OpenTo, count = 1) => ({
    files: Array.from({ length: count }, (_, index) => ({
      url: `${away}/${name}/app/data/${index}.enc.ttl`,
      listedIn: null,
      fate: byItself,
      openTo,
    })),
    folders: [],
  });

  test.each([
    ['that gave something which is not open to everybody', [other('carl', 'some')], true],
    ['that gave only what everybody may read', [other('carl', 'everybody', 9)], false],
    ['that says nothing, and gave files of one Pod', [other('carl', 'unknown', 9)], false],
    [
      'that says nothing, and gave one file each of two',
      [other('c', 'unknown'), other('d', 'unknown')],
      false,
    ],
    [
      'that says nothing, and gave several of two',
      [other('c', 'unknown', 2), other('d', 'unknown')],
      true,
    ],
  ])('of a server %s', (_name, others, ends) => {
    const accepting = acceptingServers([bob, ...others], home);
    expect(fatesOfShares([url], bob, accepting).get(url)).toEqual(ends ? refused : odd);
  });
});
