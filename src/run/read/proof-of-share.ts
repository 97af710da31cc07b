import { copiedBy, foreign, isFor, type NotRead, notRead } from '../../pod/outcome.js';
import { parentFolder } from '../../pod/resource-address.js';
import {
  isRemembered,
  isWritable,
  keysFor,
  outcomeOf,
  type SharedFile,
  type SharedFolder,
  sharesOf,
} from './shared-file.js';

/**
 * What the code below has to know of a Pod, to judge whether its owner shared each file. An entry of the inbox does
 * not prove a share, because anybody can add an entry with a key copied from another entry.
 */
interface KnownOfPod {
  owner: { root: string };
  folders: ReadonlyMap<string, SharedFolder>;
}

interface ReadPod extends KnownOfPod {
  files: ReadonlyMap<string, SharedFile>;
  warnings: string[];
}

const unlisted = notRead(
  'unproven',
  'it is not encrypted, and the shared folder around it does not list it as a file of readings',
);

/**
 * Changes the outcome of files that were read to "not read", if perhaps somebody else than the owner shared them. Keys
 * that opened files of several Pods are judged last. By then, some copies have been taken back for a reason in their
 * own Pod, and so cast no doubt on the original.
 */
export function judgeShares(all: readonly ReadPod[]): void {
  for (const pod of all) {
    judgeForeignKeys(pod);
    judgePlainFiles(pod);
    judgeInnerFiles(pod);
    judgeWritableFolders(pod);
  }
  judgeCopiedKeys(all);
}

/**
 * Files that no key of their own opened, and for which keys of other Pods were given: perhaps their owner has moved.
 * Nothing changes for a file whose share, or folder, was read before.
 */
function judgeForeignKeys({ files }: ReadPod): void {
  for (const file of files.values()) {
    const outcome = outcomeOf(file);
    if (outcome === null || isRemembered(file)) continue;
    const hasOwn = keysFor(file).length > 0;
    if (!isFor(outcome, 'no key') && (hasOwn || !isFor(outcome, 'writable'))) continue;
    const isGiven = sharesOf(file).some(({ foreignKeys }) => foreignKeys.length > 0);
    if (isGiven) takeBack(file, foreign);
  }
}

/**
 * Takes back plain files that lie below a shared folder but are not in its listing. Perhaps nobody shared them: the
 * rules of access of a folder can also open everything below it.
 */
function judgePlainFiles(pod: ReadPod): void {
  if (pod.folders.size === 0) return;
  for (const file of pod.files.values()) {
    const outcome = outcomeOf(file);
    if (outcome?.kind !== 'read' || outcome.key !== null) continue;
    const around = [...foldersAround(parentFolder(file.url), pod)];
    const folder = pod.folders.get(parentFolder(file.url));
    if (folder !== undefined && file.folder !== folder) around.push(folder);
    if (around.some((outer) => concerns(outer, file) && isShared(outer))) takeBack(file, unlisted);
  }
}

/**
 * Whether a folder around a file has to be considered when the file is judged, because perhaps the owner shared only
 * the folder. Anybody can name folders in the inbox. So for a file that was read in an earlier analysis, only folders
 * that were read then are considered.
 */
function concerns({ share }: SharedFolder, file: SharedFile): boolean {
  return share.isRemembered || !isRemembered(file);
}

/**
 * Whether its owner has certainly shared the folder: it was read before, or the Analyser may list it although it is not
 * open to everybody.
 */
function isShared({ share, listing }: SharedFolder): boolean {
  if (share.isRemembered) return true;
  return listing !== null && listing.members !== null && listing.openTo !== 'everybody';
}

/**
 * Whether its owner has perhaps shared the folder: it was read before, or the server did not refuse it.
 */
function mayBeShared({ share, listing }: SharedFolder): boolean {
  return share.isRemembered || listing === null || !isFor(listing.outcome, 'refused');
}

/**
 * Takes back files in the subfolders of a shared folder if the key of this folder opened them. Anybody can copy the
 * sealed key of the folder from the inbox into an entry for such a file.
 */
function judgeInnerFiles(pod: ReadPod): void {
  if (pod.folders.size === 0) return;
  const ofFolder = keysThatOpened(pod);
  for (const file of pod.files.values()) {
    const key = keyOf(file);
    if (key === null) continue;
    const around = [...foldersAround(parentFolder(file.url), pod)];
    const isFromOutside = around.some(
      (outer) =>
        concerns(outer, file) &&
        mayBeShared(outer) &&
        (ofFolder.get(outer.share.url)?.has(keyText(key)) === true || isItsRemembered(outer, key)),
    );
    if (isFromOutside) takeBack(file, { ...foreign, key });
  }
}

/** By folder, the keys that opened files directly in it. */
function keysThatOpened({ files, folders }: ReadPod): Map<string, Set<string>> {
  const keys = new Map<string, Set<string>>();
  for (const file of files.values()) {
    const key = keyOf(file);
    const folder = parentFolder(file.url);
    if (key === null || !folders.has(folder)) continue;
    const opened = keys.get(folder);
    if (opened === undefined) keys.set(folder, new Set([keyText(key)]));
    else opened.add(keyText(key));
  }
  return keys;
}

function isItsRemembered({ share }: SharedFolder, key: Buffer): boolean {
  return share.rememberedKey?.equals(key) === true;
}

const copied = notRead(
  'writable',
  'others may write to its folder, and its key opens another file there',
);

/**
 * In a folder that others may write to, a key counts for only one of the files that it opened. A file whose own share
 * is remembered comes first; a remembered share of the folder is not enough.
 */
function judgeWritableFolders(pod: ReadPod): void {
  const taken = new Set<string>();
  const inOrder = [...pod.files.values()].sort((one, other) => rank(one) - rank(other));
  for (const file of inOrder) {
    const key = keyOf(file);
    const folder = pod.folders.get(parentFolder(file.url));
    if (key === null || folder === undefined || !isWritable(folder)) continue;
    if (taken.has(keyText(key))) takeBack(file, copied);
    taken.add(keyText(key));
  }
}

function rank(file: SharedFile): number {
  return file.share?.isRemembered === true ? 0 : 1;
}

/**
 * A key that opened files of two Pods was copied. Nobody can tell which Pod has the copy, so the files that this key
 * opens count in neither Pod.
 */
function judgeCopiedKeys(all: readonly ReadPod[]): void {
  const podsOf = new Map<string, Set<ReadPod>>();
  for (const pod of all) {
    for (const file of pod.files.values()) {
      const key = keyOf(file);
      if (key === null) continue;
      const pods = podsOf.get(keyText(key));
      if (pods === undefined) podsOf.set(keyText(key), new Set([pod]));
      else pods.add(pod);
    }
  }
  const concerned = new Set<ReadPod>();
  for (const pod of all) {
    for (const file of pod.files.values()) {
      const key = keyOf(file);
      if (key === null || (podsOf.get(keyText(key))?.size ?? 0) < 2) continue;
      takeBack(file, copiedBy(key));
      concerned.add(pod);
    }
  }
  const [first] = concerned;
  if (first === undefined) return;
  const roots = [...concerned].map(({ owner }) => owner.root).sort();
  first.warnings.push(
    `Files of several Pods open with the same key: ${roots.slice(0, 10).join(', ')}. Somebody has copied files of others, or has moved to a new Pod, and nobody can tell which. ` +
      'So no file that such a key opens counts. Find out whose they are; then the mode forget gives the keys to their owner: forget <WebID of the copies> --keys-to <WebID of the owner>.',
  );
}

function keyOf(file: SharedFile): Buffer | null {
  const outcome = outcomeOf(file);
  return outcome?.kind === 'read' ? outcome.key : null;
}

function takeBack(file: SharedFile, outcome: NotRead): void {
  if (file.reading === null) return;
  file.reading = { ...file.reading, outcome, sums: null, readings: [] };
}

function* foldersAround(folder: string, { owner, folders }: KnownOfPod): Generator<SharedFolder> {
  if (folders.size === 0) return;
  for (let outer = folder; outer.length > owner.root.length; ) {
    outer = parentFolder(outer);
    const shared = folders.get(outer);
    if (shared !== undefined) yield shared;
  }
}

function keyText(key: Buffer): string {
  return key.toString('latin1');
}
