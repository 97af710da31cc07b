import { compare, getOrAdd } from '../../base/lists.js';
import { parentFolder } from '../../pod/addresses.js';
import { borrowedKey, copiedBy, foreignKey, isFor, notRead, notYet } from '../../pod/outcome.js';
import { hasEarlierSums, isNotAsked } from './fate.js';
import {
  askedOf,
  Folder,
  filesOf,
  isIn,
  keyOf,
  keyText,
  lendingFolder,
  type Pod,
  type Row,
} from './row.js';

const unlisted = notRead(
  'unproven',
  'it is not encrypted, and the shared folder around it does not list it as a file of readings',
);
const writable = notRead('writable', 'others may write to the folder from which it takes its key');
const plain = notRead('writable', 'it is not encrypted, and others may write to its folder');

/**
 * The end of step 4, once everything was read. Rejects files that perhaps somebody else than the owner shared: an entry of
 * the inbox does not prove a share, because anybody can add an entry with a key copied from another entry. Keys that
 * opened files of several Pods are judged after these: by then, some copies were rejected for a reason in their own Pod,
 * and so cast no doubt on the original. At last, new files that would be a part of their Pod have to wait.
 */
export function judgeRows(pods: readonly Pod[]): void {
  for (const pod of pods) {
    judgeForeignKeys(pod);
    judgePlainFiles(pod);
    judgeKeysOfFolders(pod);
    judgeSharedKeys(pod);
  }
  judgeCopiedKeys(pods);
  for (const pod of pods) judgeNewFiles(pod);
}

/**
 * Files that no key of their own opened, and for which keys of other Pods were given: perhaps their owner has moved.
 * Nothing changes for a file that was read before, or whose folder is remembered.
 */
function judgeForeignKeys(pod: Pod): void {
  for (const row of filesOf(pod)) {
    const { outcome, keys, known, folder, isListed } = row;
    const isShut = isFor(outcome, 'no key') || (isFor(outcome, 'writable') && keys.length === 0);
    if (!isShut || known !== null || (folder?.known ?? null) !== null) continue;
    if (row.otherHolders.size > 0 || (isListed && (folder?.otherHolders.size ?? 0) > 0)) {
      row.outcome = foreignKey;
    }
  }
}

/**
 * Rejects new plain files below a shared folder that are not in its listing, or into which others may write. Perhaps
 * nobody shared them: the rules of access of a folder can also open everything below it. Anybody can name folders, so of
 * several the one that was remembered first decides.
 */
function judgePlainFiles(pod: Pod): void {
  const places = new Map(Array.from(pod.known?.folders.keys() ?? [], (url, place) => [url, place]));
  const placeOf = ({ url }: Folder) => places.get(url) ?? Number.POSITIVE_INFINITY;
  for (const row of filesOf(pod)) {
    const { read, known, folder, isListed } = row;
    if (read === null || read.key !== null || known !== null) continue;
    const around = foldersAround(row, pod).filter(isShared);
    const first = Math.min(...around.map(placeOf));
    const isElsewhere = (outer: Folder) =>
      placeOf(outer) === first && (outer !== folder || !isListed);
    if (around.some(isElsewhere)) row.outcome = unlisted;
    else if (folder !== null && isFor(folder.outcome, 'writable')) row.outcome = plain;
  }
}

/**
 * Whether its owner has certainly shared the folder: it is remembered and not refused, or the Analyser may list it although
 * it is not open to everybody.
 */
function isShared({ known, mayHaveEntry, outcome, openTo }: Folder): boolean {
  if (known !== null) return !isFor(outcome, 'refused');
  const isGiven = outcome.kind === 'listed' || isFor(outcome, 'writable');
  return mayHaveEntry && isGiven && openTo !== 'everybody';
}

/**
 * Files that say they take their key from a folder. Anybody can copy the sealed key of a folder from the inbox into an
 * entry for such a file. So a new one counts only if the folder lists it, or is not shared. While others may write into the
 * folder, only files count that had this key before by themselves, and not from there.
 */
function judgeKeysOfFolders(pod: Pod): void {
  for (const row of filesOf(pod)) {
    const { read, known } = row;
    const folder = pod.folders.get(read?.keyFrom ?? '');
    if (!read?.key || folder === undefined) continue;
    const { outcome } = folder;
    const { key } = read;
    if (isFor(outcome, 'writable')) {
      const isOwn = hadOwnKey(row) && isIn(row.keys, key);
      if (!isOwn || isIn([key], folder.known?.key ?? null)) row.outcome = { ...writable, key };
    } else if (known === null && lendingFolder(row) !== folder && !isClosed(folder)) {
      row.outcome = outcome.kind === 'listed' ? borrowedKey(key) : notYet(key);
    }
  }
}

/** Whether the folder is not shared. A server that lists no folders says so in many ways, but the same ones each time. */
function isClosed({ known, outcome }: Folder): boolean {
  return isFor(outcome, 'refused') || (known === null && isFor(outcome, 'other answer'));
}

/**
 * A key is that of one file, or of one folder that files name. Anybody who may write somewhere in the Pod can have put a
 * changed copy of a file there, and the file's sealed key into an entry for it. Files that had the key before keep it, and
 * those that a folder lists; of other files, the first by address.
 */
function judgeSharedKeys(pod: Pod): void {
  const holderOf = ({ url, read }: Row) => read?.keyFrom ?? url;
  const isSure = (row: Row) => hadOwnKey(row) || lendingFolder(row)?.url === row.read?.keyFrom;
  const files = filesOf(pod);
  const doubtful = files.filter((row) => !isSure(row));
  const holders = new Map([
    ...Array.from(
      pod.folders.values(),
      ({ url, known }) => [keyText(known?.key ?? null), url] as const,
    ),
    ...files.filter(isSure).map((row) => [keyText(keyOf(row)), holderOf(row)] as const),
  ]);
  for (const row of doubtful.sort((one, other) => compare(one.url, other.url))) {
    const key = keyOf(row);
    if (key === null) continue;
    const holder = getOrAdd(holders, keyText(key), () => holderOf(row));
    if (holder !== holderOf(row)) row.outcome = borrowedKey(key);
  }
}

/** Whether it was read before with a key that it takes from no folder. */
function hadOwnKey({ known }: Row): boolean {
  return known !== null && known.ownKey !== null;
}

/**
 * A key that opened files of two Pods was copied. Nobody can tell which Pod has the copy, so the files that this key
 * opens count in neither Pod.
 */
function judgeCopiedKeys(pods: readonly Pod[]): void {
  const opened = pods.flatMap((pod) =>
    filesOf(pod).flatMap((file) => {
      const key = keyOf(file);
      return key === null ? [] : [{ pod, file, key }];
    }),
  );
  const podsOf = new Map<string, Set<Pod>>();
  for (const { pod, key } of opened) {
    getOrAdd(podsOf, keyText(key), () => new Set()).add(pod);
  }
  for (const { file, key } of opened) {
    if ((podsOf.get(keyText(key))?.size ?? 0) > 1) file.outcome = copiedBy(key);
  }
}

/**
 * New files of a Pod with earlier sums come in all together. If there was no time for one of them, or to list a folder,
 * none counts and none is remembered: otherwise whoever adds addresses without end could choose which come first.
 */
function judgeNewFiles(pod: Pod): void {
  if (!hasEarlierSums(pod)) return;
  const isWaiting = (asked: Row | Folder) =>
    isNotAsked(asked) && (asked instanceof Folder || asked.known === null);
  if (!askedOf(pod).some(isWaiting)) return;
  for (const row of filesOf(pod)) {
    if (row.known === null && row.read !== null) row.outcome = notYet(keyOf(row));
  }
}

/** The named folders in which the file lies, at any depth. */
function foldersAround({ url }: Row, { folders }: Pod): Folder[] {
  const found: Folder[] = [];
  for (let outer = parentFolder(url); outer.length > 0; outer = parentFolder(outer)) {
    const folder = folders.get(outer);
    if (folder !== undefined) found.push(folder);
  }
  return found;
}
