import { present } from '../../base/lists.js';
import { isFolder } from '../../pod/addresses.js';
import { type Because, isFor, type NotRead } from '../../pod/outcome.js';
import { isNamed, keyOf, lendingFolder, type Pod, type Row } from './row.js';

/** What becomes of the share of a row, for the reasons that docs/decisions.md gives. */
export type Fate =
  /** It was read. It is remembered with the key that opened it, null if there is none. */
  | { kind: 'kept'; key: Buffer | null }
  /** Its owner has taken it back: it is forgotten, and so are the earlier sums of its Pod. */
  | { kind: 'ended' }
  /** Its owner has put something else in its place: it stays remembered, and nothing of it is missing. */
  | { kind: 'answered' }
  /** Its Pod cannot count without it. */
  | { kind: 'missing' }
  | { kind: 'missing because of others' }
  /** Time ran out, which says nothing of the share. */
  | { kind: 'not asked' }
  /** It was never read, so it is not remembered and objects to nothing. */
  | { kind: 'never read' };

const fates: Readonly<Record<Because, Fate>> = {
  // Never remembered.
  'other name': { kind: 'never read' },
  'not yet': { kind: 'never read' },
  refused: { kind: 'ended' },
  published: { kind: 'ended' },
  'no reading': { kind: 'answered' },
  plaintext: { kind: 'answered' },
  writable: { kind: 'answered' },
  unproven: { kind: 'answered' },
  'too large': { kind: 'answered' },
  'no key': { kind: 'missing' },
  unreadable: { kind: 'missing' },
  uncertain: { kind: 'missing' },
  'other answer': { kind: 'missing' },
  silence: { kind: 'missing' },
  'foreign key': { kind: 'missing because of others' },
  'copied key': { kind: 'missing because of others' },
  limit: { kind: 'missing because of others' },
  'not asked': { kind: 'not asked' },
};

/** `files` are those of the Pod of the row. */
export function fateOf(row: Row, files: readonly Row[]): Fate {
  const key = isFolder(row.url) ? keyOfFolder(row, files) : keyOfFile(row);
  if (key !== undefined) return { kind: 'kept', key };
  if (row.known === null) return { kind: 'never read' };
  const objection = decidingObjection(row);
  return objection === null ? { kind: 'answered' } : fates[objection.because];
}

function isEnding({ outcome }: Pick<Row, 'outcome'>): boolean {
  return outcome.kind === 'not read' && fates[outcome.because].kind === 'ended';
}

/**
 * Whether its owner revoked it and removed its entry, or deleted it from the folder that shares it. Then no warning is
 * due.
 */
export function isTakenBack(row: Row): boolean {
  const { hasEntry, isListed, folder } = row;
  const isGone = !hasEntry && !isListed && folder?.outcome.kind === 'listed';
  return isEnding(row) && (isGone || !isNamed(row));
}

/**
 * Whether earlier sums of the Pod still stand: a withdrawal takes them with it. What is remembered of such a Pod was once
 * asked for in full; what is remembered of any other Pod can be a part of it.
 */
export function hasEarlierSums(pod: Pick<Pod, 'known' | 'rows'>): boolean {
  if (pod.known === null || pod.known.sums === null) return false;
  return ![...pod.rows.values()].some((row) => {
    const objection = row.known === null ? null : decidingObjection(row);
    return objection !== null && fates[objection.because].kind === 'ended';
  });
}

/**
 * Whether something was not asked for that the Pod cannot count without. A Pod with earlier sums is judged by what is
 * remembered of it, since anybody can name new addresses in somebody's Pod. Without earlier sums, everything has to be
 * asked for in one analysis: otherwise a part of the Pod would pass for the whole.
 */
export function isUnfinished(pod: Pick<Pod, 'known' | 'mayShareMore' | 'rows'>): boolean {
  const late = [...pod.rows.values()].filter(({ outcome }) => isFor(outcome, 'not asked'));
  if (!hasEarlierSums(pod)) return pod.mayShareMore || late.length > 0;
  return late.some((row) => row.known !== null);
}

/**
 * Why a row that was read before is not remembered anew. A file that only the key of its folder opened shares the fate of
 * the folder while nothing opens it. In all else its own answer decides, as it would if somebody had copied the key into
 * an entry of the file.
 */
function decidingObjection({ folder, known, outcome }: Row): NotRead | null {
  if (outcome.kind !== 'not read') return null;
  const isOfFolder = known !== null && known.key === null && outcome.because === 'no key';
  return isOfFolder && folder?.outcome.kind === 'not read' ? folder.outcome : outcome;
}

/**
 * The key to remember a file with that was read, null if the file was not given it by itself; undefined when it was not
 * read. If it is the key of its folder, anybody can have copied it into an entry of the file. It is remembered all the
 * same: else a stranger who removes the entry of the owner would end the share together with that of the folder.
 */
function keyOfFile(row: Row): Buffer | null | undefined {
  if (row.read === null) return undefined;
  const { key } = row.read;
  // A plain file keeps its earlier key: the app uses this key when it encrypts the file again.
  return isIn(row.keys, key) ? key : (row.known?.key ?? null);
}

/**
 * The key to remember a folder with, if a file counts that it lists and that one of its keys opened; undefined if none
 * does. A key that the file was not given by itself can only come from an entry of the folder. So only such a key takes
 * the place of a remembered key that opens nothing any more: anybody can copy the key of one file into that entry.
 */
function keyOfFolder(folder: Row, files: readonly Row[]): Buffer | null | undefined {
  const opened = files.filter((file) => {
    if (file.read === null || lendingFolder(file) !== folder) return false;
    return file.read.key === null || isIn(folder.keys, file.read.key);
  });
  if (opened.length === 0) return undefined;
  const keys = present(opened.map(keyOf));
  const alone = present(opened.filter((file) => !isIn(file.keys, keyOf(file))).map(keyOf));
  if (folder.known === null) return alone[0] ?? keys[0] ?? null;
  const earlier = folder.known.key;
  return isIn(keys, earlier) ? earlier : (alone[0] ?? earlier);
}

function isIn(keys: readonly Buffer[], key: Buffer | null): boolean {
  return key !== null && keys.some((one) => one.equals(key));
}
