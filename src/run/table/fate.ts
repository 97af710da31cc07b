import { present } from '../../base/lists.js';
import { isFolder } from '../../pod/addresses.js';
import { type Because, isFor, type NotRead } from '../../pod/outcome.js';
import { foldersOf, isNamed, keyOf, lendingFolder, type Pod, type Row } from './row.js';

/** What becomes of the share of a row, for the reasons that docs/decisions.md gives. */
export type Fate =
  /** It was read. It is remembered with the key that opened it, null if there is none. */
  | { kind: 'kept'; key: Buffer | null }
  /** Its owner has taken it back: it is forgotten, and so are the earlier sums of its Pod. */
  | { kind: 'ended' }
  /** Its owner has put something else in its place: it stays remembered, and nothing of it is missing. */
  | { kind: 'replaced' }
  /** Without it, its Pod counts with its earlier sums, or not at all. */
  | { kind: 'missing' }
  | { kind: 'missing because of others' }
  /** It was not asked for, which says nothing of the share. */
  | { kind: 'not asked' }
  /** It was never read, so it is not remembered and objects to nothing. */
  | { kind: 'never read' };

const fates: Readonly<Record<Because, Fate>> = {
  // Never remembered.
  'other name': { kind: 'never read' },
  'not yet': { kind: 'never read' },
  refused: { kind: 'ended' },
  published: { kind: 'ended' },
  'no reading': { kind: 'replaced' },
  plaintext: { kind: 'replaced' },
  writable: { kind: 'replaced' },
  unproven: { kind: 'replaced' },
  'too large': { kind: 'replaced' },
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

export function fatesOf(pod: Pick<Pod, 'rows'>): Map<Row, Fate> {
  const keys = new Map(foldersOf(pod).map((folder) => [folder, keyOfFolder(folder)]));
  const keyFor = (row: Row) =>
    isFolder(row.url) ? keys.get(row) : keyOfFile(row, row.folder && keys.get(row.folder));
  return new Map(Array.from(pod.rows.values(), (row) => [row, fateOf(row, keyFor(row))]));
}

function fateOf(row: Row, key: Buffer | null | undefined): Fate {
  if (key !== undefined) return { kind: 'kept', key };
  if (row.known === null) return { kind: 'never read' };
  const objection = decidingObjection(row);
  return objection === null ? { kind: 'replaced' } : fates[objection.because];
}

function isEnding({ outcome }: Pick<Row, 'outcome'>): boolean {
  return outcome.kind === 'not read' && fates[outcome.because].kind === 'ended';
}

/** Whether its owner took it back: ended its access and removed its entry, or deleted it from the folder that shares it. */
export function isRevoked(row: Row): boolean {
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
 * The answer that decides the fate of a row that does not count: its own. Only a file without a key of its own shares the
 * fate of its folder while no key opens it.
 */
function decidingObjection({ folder, known, outcome }: Row): NotRead | null {
  if (outcome.kind !== 'not read') return null;
  const isOfFolder = known !== null && known.key === null && outcome.because === 'no key';
  return isOfFolder && folder?.outcome.kind === 'not read' ? folder.outcome : outcome;
}

/**
 * The key that a file is remembered with: the one that opened it, and null only if its folder is remembered with this one
 * and the file never had one of its own. So what is remembered opens what was read, whoever removes entries. Perhaps a
 * stranger has copied the key of the folder into an entry of the file. It is remembered all the same: if it were not, a
 * stranger who removes the owner's entry of the file would make the share depend on the folder alone. Undefined for a
 * file that does not count.
 */
function keyOfFile(row: Row, ofFolder: Buffer | null | undefined): Buffer | null | undefined {
  if (row.read === null) return undefined;
  const { key } = row.read;
  const earlier = row.known?.key ?? null;
  // A plain file keeps its earlier key: the app uses this key when it encrypts the file again.
  if (key === null) return earlier;
  return earlier === null && !isIn(row.keys, key) && ofFolder?.equals(key) === true ? null : key;
}

/**
 * The key that a folder is remembered with; undefined if none of its keys opened a listed file that counts. It is one that
 * opened a file which takes the key of this folder, the earlier one if it can be: any other can be that of a single file,
 * which a stranger has copied into an entry of the folder, and only stands in while nothing better is known.
 */
function keyOfFolder(folder: Row): Buffer | null | undefined {
  const opened = folder.files.filter((file) => {
    if (file.read === null || lendingFolder(file) !== folder) return false;
    return file.read.key === null || isIn(folder.keys, file.read.key);
  });
  if (opened.length === 0) return undefined;
  const inherited = present(opened.filter(({ read }) => read?.inherits).map(keyOf));
  const earlier = folder.known?.key ?? null;
  if (isIn(inherited, earlier)) return earlier;
  return inherited[0] ?? earlier ?? present(opened.map(keyOf))[0] ?? null;
}

function isIn(keys: readonly Buffer[], key: Buffer | null): boolean {
  return key !== null && keys.some((one) => one.equals(key));
}
