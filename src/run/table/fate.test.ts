import { expect, test } from 'vitest';
import { type GivenRow, listed, podOf, readWith, rowIn } from '../../../test/support/table.js';
import { notRead } from '../../pod/outcome.js';
import { type Because, reasons } from '../../pod/reasons.js';
import { type Fate, fateOf, isGone, isRevoked } from './fate.js';
import { isNamed, lendingFolder } from './row.js';

const root = 'https://pods.example/anna/';
const folder = `${root}app/data/`;
const file = `${folder}one.enc.ttl`;
const known = { url: folder, key: null, missingOn: [] };
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
  '[5.5] what was read before is %s, and what was not is nothing: %j',
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

const named: GivenRow = { hasEntry: true, outcome: listed };
const open: GivenRow = { hasEntry: true, ...because('writable') };
const silent: GivenRow = { hasEntry: true, ...because('silence') };

/** Whether an entry names it, whether the folder lends it its key, and whether nobody but its owner can have taken it back. */
test.each<[GivenRow, GivenRow, boolean[]]>([
  [{}, { hasEntry: true }, [true, false, false]],
  [{}, {}, [false, false, true]],
  [named, { isListed: true }, [true, true, false]],
  [named, { hasEntry: true }, [true, false, false]],
  [named, {}, [false, false, true]],
  [{ ...named, known }, {}, [true, false, true]],
  [{ ...open, known }, {}, [true, false, false]],
  [open, { isListed: true }, [true, false, false]],
  // What was read before needs no listing.
  [{ ...silent, known }, { known }, [true, true, false]],
  [{ ...named, known, hasEntry: false }, { known, isListed: true }, [false, true, true]],
])('in a folder with %j a file with %j that is refused', (around, given, expected) => {
  const pod = podOf(root, { [folder]: around, [file]: { ...given, ...because('refused') } });
  const row = rowIn(pod, file);
  expect([isNamed(row), lendingFolder(row) !== null, isRevoked(row)]).toEqual(expected);
  row.outcome = notRead('silence', '');
  expect(isRevoked(row)).toBe(false);
});

test.each<[GivenRow, boolean]>([
  [{}, true],
  [{ hasEntry: true, ...because('refused') }, false],
  [{ hasEntry: true, outcome: listed }, false],
  [{ known, outcome: listed }, false],
  [{ known, ...because('refused') }, true],
  [{ known, ...because('silence') }, false],
])('of a folder with %j nothing is said: %s', (given, expected) => {
  const pod = podOf(root, { [folder]: given });
  const [asked] = pod.folders.values();
  expect(asked && isGone(asked)).toBe(expected);
});
