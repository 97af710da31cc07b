import { expect, test } from 'vitest';
import {
  type GivenRow,
  listed,
  podOf,
  readWith,
  rememberedPod,
  rowIn,
  someSums,
} from '../../../test/support/table.js';
import type { RememberedPod } from '../../memory/memory.js';
import { noRoom, notAsked, notRead } from '../../pod/outcome.js';
import { type Because, reasons } from '../../pod/reasons.js';
import {
  type Fate,
  fateOf,
  hasEarlierSums,
  isGone,
  isRevoked,
  isSilent,
  isUnfinished,
} from './fate.js';
import { isNamed, lendingFolder } from './row.js';

const root = 'https://pods.example/anna/';
const folder = `${root}app/data/`;
const file = `${folder}one.enc.ttl`;
const [two, three] = [`${folder}two.enc.ttl`, `${folder}three.enc.ttl`];
const known = { url: folder, ownKey: null, missingOn: [] };
const because = (reason: Because) => ({ outcome: notRead(reason, '') });

/** As docs/decisions.md says, in the table of what becomes of a share. */
const fates: [Fate, Because[]][] = [
  ['ended', ['refused', 'published']],
  ['replaced', ['no reading', 'plaintext', 'writable', 'unproven', 'too large']],
  ['missing', ['no key', 'unreadable', 'uncertain', 'other answer', 'silence']],
  ['missing because of others', ['foreign key', 'copied key', 'limit']],
  ['not asked', ['not asked']],
];
const tried: ReadonlySet<string> = new Set(fates.flatMap(([, each]) => each));

test.each(fates)(
  '[5.5][4.4][5.1] what was read before is %s, and what was not is nothing: %j',
  (fate, reasons) => {
    for (const reason of reasons) {
      expect(fateOf({ ...because(reason), known })).toBe(fate);
      expect(fateOf({ ...because(reason), known: null })).toBe('never read');
    }
    expect(fateOf({ outcome: readWith(null), known: null })).toBe('kept');
  },
);

test('what was never read can wait, and is in view by another name: no reason is left out here', () => {
  const never = Object.keys(reasons).filter((each) => !tried.has(each));
  expect(never.toSorted()).toEqual(['no room', 'not yet', 'other name']);
});

test('silence is no other reason, and a file that was read is not silent', () => {
  const all = fates.flatMap(([, each]) => each);
  expect(all.filter((each) => isSilent(because(each)))).toEqual(['silence']);
  expect(isSilent({ outcome: readWith(null) })).toBe(false);
});

const named: GivenRow = { mayHaveEntry: true, outcome: listed };
const open: GivenRow = { mayHaveEntry: true, ...because('writable') };
const silent: GivenRow = { mayHaveEntry: true, ...because('silence') };

/** Whether an entry names it, whether the folder lends it its key, and whether nobody but its owner can have taken it back. */
test.each<[GivenRow, GivenRow, boolean[]]>([
  [{}, { mayHaveEntry: true }, [true, false, false]],
  [{}, {}, [false, false, true]],
  [named, { isListed: true }, [true, true, false]],
  [named, { mayHaveEntry: true }, [true, false, false]],
  [named, {}, [false, false, true]],
  [{ ...named, known }, {}, [true, false, true]],
  [{ ...open, known }, {}, [true, false, false]],
  [open, { isListed: true }, [true, false, false]],
  // What was read before needs no listing.
  [{ ...silent, known }, { known }, [true, true, false]],
  // A file that had its own key says nothing of a folder that was never listed.
  [silent, { known }, [false, false, true]],
  [{ ...named, known, mayHaveEntry: false }, { known, isListed: true }, [false, true, true]],
])('[4.8] in a folder with %j a file with %j that is refused', (around, given, expected) => {
  const pod = podOf(root, { [folder]: around, [file]: { ...given, ...because('refused') } });
  const row = rowIn(pod, file);
  expect([isNamed(row), lendingFolder(row) !== null, isRevoked(row)]).toEqual(expected);
  for (const outcome of [notRead('silence', ''), readWith(null)]) {
    row.outcome = outcome;
    expect(isRevoked(row)).toBe(false);
  }
});

test('a file that lies in no shared folder is taken back once no entry names it', () => {
  for (const mayHaveEntry of [true, false]) {
    const pod = podOf(root, { [file]: { mayHaveEntry, ...because('refused') } });
    expect(isRevoked(rowIn(pod, file))).toBe(!mayHaveEntry);
  }
});

const [late, waiting] = [{ outcome: notAsked }, { outcome: noRoom(null) }];
const read: GivenRow = { outcome: readWith(null) };
/** Of a Pod of which one file is remembered. */
const withSums = rememberedPod(root, [[file, null]], someSums);
const withoutSums = { ...withSums, sums: null };

/** Whether earlier sums stand, and whether something is missing that the Pod cannot count without. */
test.each<[string, Record<string, GivenRow>, RememberedPod | null, [boolean, boolean]]>([
  ['that is new was read', { [file]: read }, null, [false, false]],
  [
    'that is new has one that was not asked for',
    { [file]: read, [two]: late },
    null,
    [false, true],
  ],
  ['that is new has a folder that was not', { [file]: read, [folder]: late }, null, [false, true]],
  ['that is new has no room', { [file]: waiting }, null, [false, true]],
  ['that is new has one that is silent', { [file]: read, [two]: silent }, null, [false, false]],
  ['that never counted was read', { [file]: read }, withoutSums, [false, false]],
  ['that never counted waits', { [file]: read, [two]: waiting }, withoutSums, [false, true]],
  ['that counted was read', { [file]: read }, withSums, [true, false]],
  ['that counted was not asked for', { [file]: late }, withSums, [true, true]],
  [
    'that counted has new ones that wait',
    { [two]: late, [three]: waiting },
    withSums,
    [true, false],
  ],
  ['that counted lost one', { [file]: because('refused'), [two]: late }, withSums, [false, true]],
])('[5.3][5.2] a Pod %s', (_, rows, known, expected) => {
  const pods = new Map(known === null ? [] : [[root, known]]);
  const pod = podOf(root, rows, { pods });
  expect([hasEarlierSums(pod), isUnfinished(pod)]).toEqual(expected);
  // An inbox that was not read may name more: what counted before is judged without it.
  const withMore = { ...pod, mayShareMore: true };
  expect([hasEarlierSums(withMore), isUnfinished(withMore)]).toEqual([
    expected[0],
    !expected[0] || expected[1],
  ]);
});

test.each<[GivenRow, boolean]>([
  [{}, true],
  [{ mayHaveEntry: true, ...because('refused') }, false],
  [{ mayHaveEntry: true, outcome: listed }, false],
  [{ known, outcome: listed }, false],
  [{ known, ...because('refused') }, true],
  [{ known, ...because('silence') }, false],
])('of a folder with %j nothing is said: %s', (given, expected) => {
  const pod = podOf(root, { [folder]: given });
  const [asked] = pod.folders.values();
  expect(asked && isGone(asked)).toBe(expected);
});
