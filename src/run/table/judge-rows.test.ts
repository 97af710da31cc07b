import { describe, expect, test } from 'vitest';
import {
  type GivenRow,
  listed as isListed,
  keyedDigest,
  podOf,
  readWith,
  rememberedPod,
  rowIn,
  someSums,
} from '../../../test/support/table.js';
import { emptyMemory, type Memory } from '../../memory/memory.js';
import { notAsked, notRead } from '../../pod/outcome.js';
import { refusal } from '../../pod/read-resource.js';
import { judgeRows } from './judge-rows.js';
import type { Pod } from './row.js';
import { settle } from './settle.js';

const root = 'https://pods.example/anna/';
const folder = `${root}app/data/`;
const one = `${folder}one.enc.ttl`;
const two = `${folder}two.enc.ttl`;
const three = `${folder}three.enc.ttl`;
const deeper = `${folder}further/`;
const inner = `${deeper}in.enc.ttl`;
const key = Buffer.alloc(32, 7);
const other = Buffer.alloc(32, 8);
const read: GivenRow = { keys: [key], outcome: readWith(key) };
/** It says that it takes its key from the folder. */
const taking: GivenRow = { keys: [key], outcome: readWith(key, folder) };
const plain: GivenRow = { outcome: readWith(null) };
const listed: GivenRow = { mayHaveEntry: true, keys: [key], outcome: isListed, openTo: 'some' };
const writable: GivenRow = { ...listed, outcome: notRead('writable', '') };
const refused: GivenRow = { ...listed, outcome: notRead('refused', ''), openTo: 'unknown' };
const keyless: GivenRow = { outcome: notRead('no key', '') };
const silent: GivenRow = { outcome: notRead('silence', '') };

/** What is remembered of the addresses; a folder, and a file with a key of its own, with the key. */
function remembering(...urls: string[]): Memory {
  const pod = rememberedPod(
    root,
    urls.map((url) => [url, key]),
  );
  return { ...emptyMemory(), pods: new Map([[root, pod]]) };
}

const ofDoctor = 'https://pods.example/doctor/app/data/one.enc.ttl';
const doctorWith = (row: GivenRow) => podOf('https://pods.example/doctor/', { [ofDoctor]: row });

/** Why each of the files does not count; null for one that does. */
function judged(rows: Record<string, GivenRow>, memory?: Memory): Record<string, string | null> {
  const pod = podOf(root, rows, memory);
  judgeRows([pod]);
  const files = [...pod.rows.values()].filter(({ url }) => !url.endsWith('/'));
  return Object.fromEntries(
    files.map(({ url, outcome }) => [
      url.slice(folder.length),
      outcome.kind === 'not read' ? outcome.because : null,
    ]),
  );
}

test('[T7] a key that opened files of two Pods counts in neither', () => {
  const pods = ['anna', 'doctor', 'else'].map((name, index): Pod => {
    const of = `https://pods.example/${name}/`;
    const own = index === 2 ? Buffer.alloc(32, 9) : key;
    return podOf(of, { [`${of}app/data/one.enc.ttl`]: { keys: [own], outcome: readWith(own) } });
  });
  judgeRows(pods);
  const outcomes = pods.flatMap(({ rows }) => [...rows.values()].map(({ outcome }) => outcome));
  // A key that does not count is claimed all the same, so it is kept.
  const copied = { because: 'copied key', key };
  expect(outcomes).toMatchObject([copied, copied, { kind: 'read' }]);
});

test('[5.6] a copy that does not count for a reason in its own Pod casts no doubt on the original', () => {
  const copying = podOf(root, { [folder]: listed, [inner]: taking });
  const copied = doctorWith(read);
  judgeRows([copying, copied]);
  expect(rowIn(copying, inner).outcome).toMatchObject({ because: 'foreign key', key });
  expect(rowIn(copied, ofDoctor).outcome).toEqual(readWith(key));
});

test('[4.9] of two new files of a Pod with one key the first by address counts: a stranger who may write there can put a copy before the original', () => {
  const copy = `${folder}a-copy.enc.ttl`;
  expect(judged({ [one]: read, [copy]: read })).toEqual({
    'a-copy.enc.ttl': null,
    'one.enc.ttl': 'foreign key',
  });
  // Not once the original was read.
  expect(judged({ [one]: read, [copy]: read }, remembering(one))).toEqual({
    'a-copy.enc.ttl': 'foreign key',
    'one.enc.ttl': null,
  });
});

test('files that nothing opens, and for which keys of others were given, are theirs perhaps', () => {
  const otherHolders = new Set(['doctor']);
  const given = { ...keyless, otherHolders };
  expect(judged({ [one]: given, [two]: keyless })).toEqual({
    'one.enc.ttl': 'foreign key',
    'two.enc.ttl': 'no key',
  });
  const ofOthers = { ...listed, otherHolders };
  const inFolder = { ...keyless, isListed: true };
  const open = { ...given, outcome: notRead('writable', '') };
  const why = (rows: Record<string, GivenRow>, memory?: Memory) =>
    judged(rows, memory)['one.enc.ttl'];
  expect(why({ [folder]: ofOthers, [one]: inFolder })).toBe('foreign key');
  expect(why({ [folder]: ofOthers, [one]: keyless })).toBe('no key');
  expect(why({ [folder]: listed, [one]: inFolder })).toBe('no key');
  expect(why({ [one]: open })).toBe('foreign key');
  expect(why({ [one]: { ...open, keys: [key] } })).toBe('writable');
  // What was read before, by itself or by its folder, is not somebody else's because of an entry.
  expect(why({ [one]: given }, remembering(one))).toBe('no key');
  expect(why({ [folder]: listed, [one]: given }, remembering(folder))).toBe('no key');
});

test.each<[string, GivenRow, Memory | undefined, string | null]>([
  ['that the owner shared', listed, undefined, 'unproven'],
  ['that everybody may list', { ...listed, openTo: 'everybody' }, undefined, null],
  ['that is refused', refused, undefined, null],
  ['that only a file names', { ...listed, mayHaveEntry: false }, undefined, null],
  ['that was read before', silent, remembering(folder), 'unproven'],
  ['that was read before and is refused', refused, remembering(folder), null],
  ['that others may write to', writable, undefined, 'unproven'],
])(
  '[T11] plain files that a folder around them does not list: a folder %s',
  (_, around, memory, why) => {
    const outcomes = judged({ [folder]: around, [one]: plain, [inner]: plain }, memory);
    expect(outcomes).toEqual({ 'one.enc.ttl': why, 'further/in.enc.ttl': why });
  },
);

test('a plain file that its folder lists counts, and one outside of all shared folders', () => {
  const inFolder = { [folder]: listed, [one]: { ...plain, isListed: true } };
  expect(judged(inFolder)).toEqual({ 'one.enc.ttl': null });
  const beside = { [`${folder}further/`]: listed, [one]: plain };
  expect(judged(beside)).toEqual({ 'one.enc.ttl': null });
});

test('what was read before stays, wherever it lies', () => {
  for (const around of [listed, writable, refused]) {
    const rows = { [folder]: around, [one]: plain, [inner]: plain, [two]: read, [three]: read };
    expect(judged(rows, remembering(folder, one, inner, two, three))).toEqual({
      'one.enc.ttl': null,
      'further/in.enc.ttl': null,
      'two.enc.ttl': null,
      'three.enc.ttl': null,
    });
  }
});

test('of several folders around a new plain file the one that was remembered first decides', () => {
  const rows = { [folder]: listed, [deeper]: listed, [inner]: { ...plain, isListed: true } };
  expect(judged(rows)).toEqual({ 'further/in.enc.ttl': 'unproven' });
  expect(judged(rows, remembering(deeper))).toEqual({ 'further/in.enc.ttl': null });
  expect(judged(rows, remembering(deeper, folder))).toEqual({ 'further/in.enc.ttl': null });
  expect(judged(rows, remembering(folder, deeper))).toEqual({ 'further/in.enc.ttl': 'unproven' });
});

test('[T11] in a folder that others may write to a plain file counts only if it was read before', () => {
  const rows = { [folder]: { ...writable, openTo: 'everybody' as const }, [one]: plain };
  expect(judged(rows)).toEqual({ 'one.enc.ttl': 'writable' });
  expect(judged(rows, remembering(one))).toEqual({ 'one.enc.ttl': null });
});

/** Directly in the folder and listed, or further in. */
test.each<[string, GivenRow | null, Memory | undefined, (string | null)[]]>([
  ['lists it', listed, undefined, [null, 'foreign key']],
  ['everybody may list', { ...listed, openTo: 'everybody' }, undefined, [null, 'foreign key']],
  ['others may write to', writable, undefined, ['writable', 'writable']],
  [
    'gives no answer',
    { ...listed, ...silent, openTo: 'unknown' },
    undefined,
    ['not yet', 'not yet'],
  ],
  ['was not asked for', { ...listed, outcome: notAsked }, undefined, ['not yet', 'not yet']],
  ['is refused, so is not shared', refused, undefined, [null, null]],
  ['is refused, and was shared before', refused, remembering(folder), [null, null]],
  [
    'has another answer',
    { ...refused, outcome: notRead('other answer', '') },
    undefined,
    [null, null],
  ],
  ['needs another login', { ...refused, outcome: refusal(401) }, undefined, [null, null]],
  [
    'needs another login, and was shared before',
    { ...refused, outcome: refusal(401) },
    remembering(folder),
    ['not yet', 'not yet'],
  ],
  ['nobody names', null, undefined, [null, null]],
])(
  '[4.8][T10] a new file that takes its key from a folder that %s',
  (_, around, memory, [direct, further]) => {
    const rows = {
      ...(around !== null && { [folder]: around }),
      [one]: { ...taking, isListed: around?.outcome?.kind === 'listed' },
      [inner]: taking,
    };
    expect(judged(rows, memory)).toEqual({ 'one.enc.ttl': direct, 'further/in.enc.ttl': further });
  },
);

test('[4.8] a file in a shared folder that takes its key from another one is no file of this folder', () => {
  const other = { ...read, isListed: true, outcome: readWith(key, deeper) };
  const why = (around: GivenRow) =>
    judged({ [folder]: listed, [deeper]: around, [one]: other })['one.enc.ttl'];
  expect(why(listed)).toBe('foreign key');
  expect(why(refused)).toBeNull();
});

test('[4.8][T10] what was read before and takes its key from a folder counts, unless others may write there and it had no key of its own', () => {
  const ofFolder = { url: one, ownKey: null, missingOn: [] };
  const why = (around: GivenRow, known: object) =>
    judged({ [folder]: around, [one]: { ...taking, ...known } }, remembering(folder))[
      'one.enc.ttl'
    ];
  for (const around of [listed, refused, { ...listed, ...silent }]) {
    expect(why(around, { known: ofFolder })).toBeNull();
  }
  expect(why(writable, { known: ofFolder })).toBe('writable');
  expect(why(writable, { known: { ...ofFolder, ownKey: key } })).toBe('writable');
  const withOwn = {
    known: { ...ofFolder, ownKey: other },
    keys: [other],
    outcome: readWith(other, folder),
  };
  expect(why(writable, withOwn)).toBeNull();
  // What has not been a folder of this Pod takes nothing away either.
  for (const around of [writable, { ...listed, ...silent }, listed]) {
    expect(
      judged({ [folder]: around, [one]: { ...taking, ...withOwn } })['one.enc.ttl'],
    ).toBeNull();
  }
  // The folder has opened it.
  expect(why(writable, { known: { ...ofFolder, ownKey: other }, keys: [other] })).toBe('writable');
});

describe('a key is that of one file', () => {
  test('[4.9] which had it before, or comes first by address', () => {
    const rows = { [two]: read, [one]: read, [inner]: read };
    expect(judged(rows)).toEqual({
      'two.enc.ttl': 'foreign key',
      'one.enc.ttl': 'foreign key',
      'further/in.enc.ttl': null,
    });
    expect(judged(rows, remembering(two))).toEqual({
      'two.enc.ttl': null,
      'one.enc.ttl': 'foreign key',
      'further/in.enc.ttl': 'foreign key',
    });
  });

  test('[4.9] or of one folder, whose files have it before others do', () => {
    const first = `${folder}a.enc.ttl`;
    const file = { ...taking, isListed: true };
    const rows = { [folder]: listed, [first]: read, [one]: file, [two]: file };
    expect(judged(rows)).toEqual({
      'a.enc.ttl': 'foreign key',
      'one.enc.ttl': null,
      'two.enc.ttl': null,
    });
    // While its files give no answer, it is the one that is remembered.
    const known = { url: one, ownKey: null, missingOn: [] };
    const later = { [folder]: silent, [first]: read, [one]: { ...silent, known } };
    expect(judged(later, remembering(folder))['a.enc.ttl']).toBe('foreign key');
  });

  test('[4.9] or of a folder that nobody names, for all files that say so', () => {
    const elsewhere = { ...read, outcome: readWith(key, deeper) };
    expect(judged({ [one]: taking, [two]: taking, [three]: elsewhere })).toEqual({
      'one.enc.ttl': null,
      'two.enc.ttl': null,
      'three.enc.ttl': 'foreign key',
    });
  });

  test('[4.9] also if it was remembered as that of its folder', () => {
    const known = { url: one, ownKey: null, missingOn: [] };
    const rows = { [folder]: writable, [one]: { ...read, known }, [two]: read };
    expect(judged(rows)).toEqual({ 'one.enc.ttl': null, 'two.enc.ttl': 'foreign key' });
    expect(judged(rows, remembering(two))['one.enc.ttl']).toBe('foreign key');
  });
});

describe('new files of a Pod that counted before', () => {
  const late: GivenRow = { outcome: notAsked };
  const withSums = (...urls: string[]): Memory => {
    const pods = Array.from(remembering(...urls).pods.values(), (pod) => ({
      ...pod,
      sums: someSums,
    }));
    return { ...emptyMemory(), pods: new Map(pods.map((pod) => [pod.root, pod])) };
  };
  const fresh = { ...read, keys: [other], outcome: readWith(other) };

  test.each<[string, Record<string, GivenRow>, Memory, string | null]>([
    ['wait for one that was not asked for', { [inner]: late }, withSums(one), 'not yet'],
    ['wait for a folder that was not asked for', { [deeper]: late }, withSums(one), 'not yet'],
    ['wait for a known one as well', { [deeper]: late }, withSums(one, deeper), 'not yet'],
    ['do not wait for a file that is known', { [three]: late }, withSums(one, three), null],
    ['count beside a folder that gives no answer', { [deeper]: silent }, withSums(one), null],
    ['count beside one that gives no answer', { [inner]: silent }, withSums(one), null],
    [
      'do not wait while a share ends',
      { [three]: refused, [inner]: late },
      withSums(one, three),
      null,
    ],
    ['of a Pod that never counted are remembered', { [inner]: late }, remembering(one), null],
  ])('[4.10] %s', (_name, others, memory, expected) => {
    const why = judged({ [one]: read, [two]: fresh, ...others }, memory);
    expect(why).toMatchObject({ 'one.enc.ttl': null, 'two.enc.ttl': expected });
  });

  test('[T7][5.6] cast doubt on another Pod with their key, although they wait', () => {
    const waiting = podOf(root, { [one]: read, [two]: fresh, [inner]: late }, withSums(one));
    const doctor = doctorWith(fresh);
    judgeRows([waiting, doctor]);
    expect(rowIn(doctor, ofDoctor).outcome).toMatchObject({ because: 'copied key' });
  });

  test('[4.10][5.6] keep their key, which is claimed all the same, and their folder is not remembered', () => {
    const around = { [folder]: listed, [one]: read, [three]: { ...taking, isListed: true } };
    const pod = podOf(root, { ...around, [two]: fresh, [inner]: late }, withSums(one));
    judgeRows([pod]);
    expect(rowIn(pod, two)).toMatchObject({ outcome: { key: other }, read: null });
    const rules = { rulesDigest: '', windowDays: null, today: 1, keyedDigest };
    const { memory } = settle(withSums(one), [{ ...pod, sums: someSums }], rules);
    expect([...memory.claims.keys()].sort()).toEqual(
      [key, other].map((own) => keyedDigest('key', own)),
    );
    expect([...(memory.pods.get(root)?.shares.keys() ?? [])]).toEqual([one]);
  });
});

test('plain files have no key, so those of two Pods are no copies of each other', () => {
  const pods = [podOf(root, { [one]: plain }), doctorWith(plain)];
  judgeRows(pods);
  expect(pods.flatMap((pod) => [...pod.rows.values()].map(({ outcome }) => outcome.kind))).toEqual([
    'read',
    'read',
  ]);
});

test('a file that was read by itself keeps counting in a folder into which others may write', () => {
  expect(judged({ [folder]: writable, [one]: read }, remembering(one))).toEqual({
    'one.enc.ttl': null,
  });
  expect(judged({ [folder]: writable, [one]: read }, remembering(folder, one))).toEqual({
    'one.enc.ttl': null,
  });
});

test('[4.10] of new files that wait for others, only what was read waits: a refusal stays one', () => {
  const known = remembering(one).pods.get(root);
  if (known === undefined) throw new Error('nothing is remembered');
  const memory = { ...emptyMemory(), pods: new Map([[root, { ...known, sums: someSums }]]) };
  const rows = {
    [one]: read,
    [two]: { outcome: notAsked },
    [three]: { keys: [other], outcome: readWith(other) },
    [inner]: { outcome: notRead('refused', '') },
  };
  expect(judged(rows, memory)).toEqual({
    'one.enc.ttl': null,
    'two.enc.ttl': 'not asked',
    'three.enc.ttl': 'not yet',
    'further/in.enc.ttl': 'refused',
  });
});
