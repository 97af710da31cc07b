import { describe, expect, test } from 'vitest';
import { foreign, notAsked, notRead, type Outcome } from '../pod/outcome.js';
import { fatesOfShares, type ShareFate } from './share-fates.js';

const folder = 'https://pods.example/anna/app/data/';
const key = Buffer.alloc(32, 1);
const read: Outcome = { kind: 'read', key };
const plain: Outcome = { kind: 'read', key: null };
const refused = notRead('refused', '');
const published = notRead('published', '');
const keyless = notRead('no key', '');
const silent = notRead('silence', '');
const uncertain = notRead('uncertain', '');
const odd = notRead('unreadable', '');
const other = notRead('no reading', '');
const listed: Outcome = { kind: 'read', key: null };

const missing: ShareFate = { kind: 'missing', isCausedByOthers: false };
const ended: ShareFate = { kind: 'ended' };
const empty: ShareFate = { kind: 'empty' };

interface Seen {
  outcome: Outcome;
  /** Whose key it was. */
  of?: 'folder' | 'file' | 'both';
}

function fates(listing: Outcome, seen: readonly Seen[], isRemembered = false) {
  const files = seen.map(({ outcome, of = 'folder' }, index) => {
    const url = `${folder}${index}.enc.ttl`;
    const proven = { folder: [folder], file: [url], both: [url, folder] }[of];
    return { url, listedIn: folder, outcome, provenShares: outcome.kind === 'read' ? proven : [] };
  });
  const shares = [folder, ...files.map(({ url }) => url)].map((url) => ({
    url,
    isRemembered,
    rememberedKey: isRemembered ? key : null,
  }));
  return [
    ...fatesOfShares(shares, { files, folders: [{ url: folder, outcome: listing }] }).values(),
  ];
}

describe('a shared folder', () => {
  test.each<[string, Outcome, Seen[], ShareFate]>([
    ['that may not be listed has ended', refused, [], ended],
    ['that cannot be listed is missing', silent, [], missing],
    ['that others may write to holds nothing', notRead('writable', ''), [], empty],
    [
      'is read with the key that opened a file',
      listed,
      [{ outcome: keyless }, { outcome: read }],
      read,
    ],
    [
      'with a plain file that counts is read',
      listed,
      [{ outcome: plain }, { outcome: odd }],
      plain,
    ],
    [
      'is read with a key before a plain file',
      listed,
      [{ outcome: plain }, { outcome: read, of: 'both' }],
      read,
    ],
    [
      'with a file without an answer is read with the key of another, while it is new',
      listed,
      [{ outcome: read }, { outcome: silent }],
      read,
    ],
    ['of which no file answers is missing', listed, [{ outcome: silent }], missing],
    ['with a refusal that is not certain is missing', listed, [{ outcome: uncertain }], missing],
    [
      'with files that nobody had time for is not asked',
      listed,
      [{ outcome: notAsked }],
      { kind: 'not asked' },
    ],
    ['whose key opens nothing is missing', listed, [{ outcome: keyless }], missing],
    [
      'of which every file is refused has ended',
      listed,
      [{ outcome: refused }, { outcome: published }],
      ended,
    ],
    ['whose files everybody may read has ended', listed, [{ outcome: published }], ended],
    ['that is empty holds nothing', listed, [], empty],
    ['with other documents in place of its own holds nothing', listed, [{ outcome: other }], empty],
    [
      'whose files have keys of their own holds nothing',
      listed,
      [{ outcome: read, of: 'file' }],
      empty,
    ],
    [
      'that was given only keys of others is missing because of others',
      listed,
      [{ outcome: foreign }],
      { kind: 'missing', isCausedByOthers: true },
    ],
  ])('%s', (_name, listing, seen, expected) => {
    expect(fates(listing, seen)[0]).toEqual(expected);
  });

  test.each<[string, Outcome, ShareFate]>([
    ['gave no answer is missing', silent, missing],
    ['was not asked for is not asked', notAsked, { kind: 'not asked' }],
  ])('that is remembered and of which one file %s', (_name, outcome, expected) => {
    expect(fates(listed, [{ outcome: read }, { outcome }], true)[0]).toEqual(expected);
  });
});

test.each([true, false])(
  'a folder keeps its key beside that of a file in it: %s',
  (isRemembered) => {
    const other = Buffer.alloc(32, 2);
    const [first, second] = [`${folder}0.enc.ttl`, `${folder}1.enc.ttl`];
    const shares = [{ url: folder, isRemembered, rememberedKey: isRemembered ? key : null }];
    const files = [
      { url: first, listedIn: folder, outcome: { kind: 'read' as const, key: other } },
      { url: second, listedIn: folder, outcome: read },
    ];
    const seen = {
      files: files.map((file) => ({
        ...file,
        provenShares: file.url === first ? [first, folder] : [folder],
      })),
      folders: [{ url: folder, outcome: listed }],
    };
    expect([...fatesOfShares(shares, seen).values()]).toEqual([read]);
  },
);

describe('a file', () => {
  /** With the key of the file in the entry of the folder as well, or the other way round. */
  const both = (remembered: { folder: Buffer | null; file: boolean }) => {
    const url = `${folder}0.enc.ttl`;
    const shares = [
      { url: folder, isRemembered: remembered.folder !== null, rememberedKey: remembered.folder },
      { url, isRemembered: remembered.file, rememberedKey: remembered.file ? key : null },
    ];
    const files = [{ url, listedIn: folder, outcome: read, provenShares: [url, folder] }];
    const folders = [{ url: folder, outcome: listed }];
    return [...fatesOfShares(shares, { files, folders }).values()];
  };

  test('that opens with the key by which its folder is remembered is remembered by that', () => {
    expect(both({ folder: key, file: false })).toEqual([read, empty]);
  });

  test('is remembered by itself where its folder has another key, was not read, or it was itself', () => {
    expect(both({ folder: Buffer.alloc(32, 2), file: false })[1]).toEqual(read);
    expect(both({ folder: null, file: false })).toEqual([read, read]);
    expect(both({ folder: key, file: true })).toEqual([read, read]);
  });

  test('that opens with its own key is remembered by itself', () => {
    expect(fates(listed, [{ outcome: read, of: 'file' }])).toEqual([empty, read]);
  });

  test('whose entry brought another key than the one that opened it was not shared by that', () => {
    expect(fates(listed, [{ outcome: read, of: 'folder' }], true)).toEqual([read, empty]);
  });

  test('of which nothing became known was not asked', () => {
    const shares = [{ url: `${folder}x.enc.ttl`, isRemembered: true, rememberedKey: null }];
    const [fate] = fatesOfShares(shares, { files: [], folders: [] }).values();
    expect(fate).toEqual({ kind: 'not asked' });
  });
});
