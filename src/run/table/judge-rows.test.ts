import { describe, expect, test } from 'vitest';
import {
  digestOf,
  type GivenRow,
  listed as isListed,
  podOf,
  readWith,
  rowIn,
  someSums,
} from '../../../test/support/table.js';
import { emptyMemory, type Memory } from '../../memory/memory.js';
import { notAsked, notRead } from '../../pod/outcome.js';
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
const plain: GivenRow = { outcome: readWith(null) };
const listed: GivenRow = { keys: [key], outcome: isListed, openTo: 'some' };
const writable: GivenRow = { ...listed, outcome: notRead('writable', '') };
const refused: GivenRow = { ...listed, outcome: notRead('refused', ''), openTo: 'unknown' };
const keyless: GivenRow = { outcome: notRead('no key', '') };
const silent: GivenRow = { outcome: notRead('silence', '') };

/** What is remembered of the addresses; a folder, and a file with a key of its own, with the key. */
function remembering(...urls: string[]): Memory {
  const shares = new Map(urls.map((url) => [url, { url, key, missingOn: [] }]));
  return { ...emptyMemory(), pods: new Map([[root, { root, shares, sums: null }]]) };
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

test('a key that opened files of two Pods counts in neither', () => {
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

test('a copy that does not count for a reason in its own Pod casts no doubt on the original', () => {
  const copying = podOf(root, { [folder]: refused, [inner]: read }, remembering(folder));
  const copied = doctorWith(read);
  judgeRows([copying, copied]);
  expect(rowIn(copying, inner).outcome).toMatchObject({ because: 'foreign key', key });
  expect(rowIn(copied, ofDoctor).outcome).toEqual(readWith(key));
});

test('files that nothing opens, and for which keys of others were given, are theirs perhaps', () => {
  const foreign = new Set(['doctor']);
  const given = { ...keyless, foreign };
  expect(judged({ [one]: given, [two]: keyless })).toEqual({
    'one.enc.ttl': 'foreign key',
    'two.enc.ttl': 'no key',
  });
  const ofOthers = { ...listed, foreign };
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
  ['that was read before', refused, remembering(folder), 'unproven'],
  ['that others may write to', writable, undefined, 'unproven'],
])('plain files that a folder around them does not list: a folder %s', (_, around, memory, why) => {
  const outcomes = judged({ [folder]: around, [one]: plain, [inner]: plain }, memory);
  expect(outcomes).toEqual({ 'one.enc.ttl': why, 'further/in.enc.ttl': why });
});

test('a plain file that its folder lists counts, and one outside of all shared folders', () => {
  const inFolder = { [folder]: listed, [one]: { ...plain, isListed: true } };
  expect(judged(inFolder)).toEqual({ 'one.enc.ttl': null });
  const beside = { [`${folder}further/`]: listed, [one]: plain };
  expect(judged(beside)).toEqual({ 'one.enc.ttl': null });
});

test.each<[string, Record<string, GivenRow>, Memory | undefined, string | null]>([
  [
    'a file directly in a shared folder',
    { [folder]: listed, [one]: read },
    undefined,
    'foreign key',
  ],
  [
    'a file in a folder that everybody may list',
    { [folder]: { ...listed, openTo: 'everybody' }, [one]: read },
    undefined,
    'foreign key',
  ],
  [
    'a file in a folder that gives no answer',
    { [folder]: { ...listed, ...silent, openTo: 'unknown' }, [one]: read },
    undefined,
    'foreign key',
  ],
  ['nothing else', { [folder]: listed, [one]: keyless }, undefined, null],
  ['a file beside it that was shared by itself', { [one]: read }, undefined, null],
  ['a file in a folder that is refused', { [folder]: refused, [one]: read }, undefined, null],
  ['a folder that was read before', { [folder]: refused }, remembering(folder), 'foreign key'],
  [
    'a file in a folder that others named, itself read before',
    { [folder]: listed, [one]: read },
    remembering(inner),
    null,
  ],
])('a file further in, whose key opened %s', (_, rows, memory, why) => {
  expect(judged({ ...rows, [inner]: read }, memory)['further/in.enc.ttl']).toBe(why);
});

/** Anybody can name a folder that everybody may list, with the key of a file in it: then it is remembered as well. */
test.each<[string, GivenRow, Record<string, GivenRow>]>([
  ['a file further in that has the key of one in the folder', listed, { [inner]: read }],
  ['a plain file further in', listed, { [inner]: plain }],
  ['a file beside another one with its key', writable, { [two]: read }],
])('%s counts if it was read before the folder was', (_, around, file) => {
  const [url = ''] = Object.keys(file);
  const rows = { [folder]: around, [one]: read, ...file };
  const why = (memory: Memory) => judged(rows, memory)[url.slice(folder.length)];
  expect(why(remembering(one, url))).toBeNull();
  expect(why(remembering(one, url, folder))).toBeNull();
  expect(why(remembering(folder, one, url))).not.toBeNull();
});

test('a new plain file counts that its folder lists, if a folder further out was read later', () => {
  const rows = { [folder]: listed, [deeper]: listed, [inner]: { ...plain, isListed: true } };
  expect(judged(rows, remembering(deeper, folder))).toEqual({ 'further/in.enc.ttl': null });
  expect(judged(rows, remembering(folder, deeper))).toEqual({ 'further/in.enc.ttl': 'unproven' });
});

test('in a folder that others may write to a key counts for one file: for the one that had it before', () => {
  const rows = { [folder]: writable, [one]: read, [two]: read };
  expect(judged(rows)).toEqual({ 'one.enc.ttl': null, 'two.enc.ttl': 'writable' });
  const ofTwo = { 'one.enc.ttl': 'writable', 'two.enc.ttl': null };
  expect(judged(rows, remembering(two))).toEqual(ofTwo);
  const ofFolder = { url: one, key: null, missingOn: [] };
  expect(judged({ ...rows, [one]: { ...read, known: ofFolder } }, remembering(two))).toEqual(ofTwo);
});

test('in such a folder a plain file counts only if it was read before', () => {
  const rows = { [folder]: { ...writable, openTo: 'everybody' as const }, [one]: plain };
  expect(judged(rows)).toEqual({ 'one.enc.ttl': 'writable' });
  expect(judged(rows, remembering(one))).toEqual({ 'one.enc.ttl': null });
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
    ['count beside one that gives no answer', { [inner]: silent }, withSums(one), null],
    [
      'do not wait while a share ends',
      { [three]: refused, [inner]: late },
      withSums(one, three),
      null,
    ],
    ['of a Pod that never counted are remembered', { [inner]: late }, remembering(one), null],
  ])('%s', (_name, others, memory, expected) => {
    const why = judged({ [one]: read, [two]: fresh, ...others }, memory);
    expect(why).toMatchObject({ 'one.enc.ttl': null, 'two.enc.ttl': expected });
  });

  test('cast doubt on another Pod with their key, although they wait', () => {
    const waiting = podOf(root, { [one]: read, [two]: fresh, [inner]: late }, withSums(one));
    const doctor = doctorWith(fresh);
    judgeRows([waiting, doctor]);
    expect(rowIn(doctor, ofDoctor).outcome).toMatchObject({ because: 'copied key' });
  });

  test('keep their key, which is claimed all the same, and their folder is not remembered', () => {
    const around = { [folder]: listed, [one]: { ...read, isListed: true } };
    const pod = podOf(root, { ...around, [two]: fresh, [inner]: late }, withSums(one));
    judgeRows([pod]);
    expect(rowIn(pod, two)).toMatchObject({ outcome: { key: other }, read: null });
    const rules = { digest: '', windowDays: null, today: 1, digestOf };
    const { memory } = settle(withSums(one), [{ ...pod, sums: someSums }], rules);
    expect([...memory.claims.keys()].sort()).toEqual(
      [key, other].map((own) => digestOf('key', own)),
    );
    expect([...(memory.pods.get(root)?.shares.keys() ?? [])]).toEqual([one]);
  });
});
