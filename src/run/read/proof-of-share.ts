import type { SharedKeys } from '../../pod/folder-keys.js';
import type { Skipped } from '../../pod/read-resource.js';
import { parentFolder } from '../../pod/resource-address.js';
import type { Listing } from './list-folder.js';
import type { FileReading, FileToRead, PodSlice, ShareToRead } from './read-task.js';

export interface SharedFolder {
  readonly share: ShareToRead;
  /** Null until it is asked for. */
  listing: Listing | null;
  /** Keys that opened files directly in it. */
  readonly opened: Set<string>;
}

export interface SharedFile {
  readonly url: string;
  /** Its own. */
  readonly share: ShareToRead | null;
  /** The shared folder that lists it. */
  folder: SharedFolder | null;
  /** Null until it is read. */
  reading: FileReading | null;
  /** The last one that it was part of. */
  slice: PodSlice | null;
}

/**
 * What decides whether a key or an answer proves that the owner of the Pod shared a file. An entry of the
 * inbox does not: anybody can add one, with a key copied from another entry.
 */
interface KnownOfPod {
  owner: { root: string };
  folders: ReadonlyMap<string, SharedFolder>;
  /** Keys that opened files of other Pods as well. */
  disputed: ReadonlySet<string>;
}

const writableFolder: Skipped = {
  skipped:
    'others than its owner may write to its folder, or the Analyser may: grant it read access only',
  because: 'answer',
  readOnlyWanted: true,
};
const unlisted: Skipped = {
  skipped: 'it is not encrypted and is none of the files of readings of the shared folder',
  because: 'answer',
};

/** Why a file does not count although it is handed over; why it does not unless it is encrypted. */
export function objectionsTo(
  file: SharedFile,
  pod: KnownOfPod,
): Pick<FileToRead, 'objection' | 'plainObjection'> {
  const parent = parentFolder(file.url);
  const folder = pod.folders.get(parent);
  const around = [...foldersAround(parent, pod)];
  if (folder !== undefined && file.folder !== folder) around.push(folder);
  return {
    objection: folder?.listing?.isWritable === true ? writableFolder : null,
    // Whoever can read a shared folder can read what is deeper, so that proves nothing.
    plainObjection: around.some((outer) => mayBeShared(outer, file)) ? unlisted : null,
  };
}

/** The keys for what lies directly in a folder, without those that may not open anything there. */
export function provingKeys(
  folder: string,
  { keys, foreignKeys }: SharedKeys,
  pod: KnownOfPod,
): SharedKeys {
  const isForeign = foreignKeysIn(folder, pod);
  if (isForeign === null) return { keys, foreignKeys };
  return {
    keys: keys.filter((key) => !isForeign(key)),
    foreignKeys: [...foreignKeys, ...keys.filter(isForeign)],
  };
}

/** Whether the file counted by a key of which it is known by now that it proves nothing. */
export function countsByForeignKey({ url, reading }: SharedFile, pod: KnownOfPod): boolean {
  if (reading?.fate.kind !== 'read' || reading.fate.key === null) return false;
  return foreignKeysIn(parentFolder(url), pod)?.(reading.fate.key) === true;
}

/**
 * Tells which keys prove nothing for what lies directly in a folder: those of other Pods, and those of
 * shared folders around it. Their sealed form can be copied from the inbox into an entry for it. Null
 * when there are none.
 */
function foreignKeysIn(folder: string, pod: KnownOfPod): ((key: Buffer) => boolean) | null {
  const { disputed } = pod;
  const around = [...foldersAround(folder, pod)].filter(
    ({ share, listing }) => share.isRemembered || (listing !== null && listing.members !== null),
  );
  if (disputed.size === 0 && around.length === 0) return null;
  return (key) =>
    disputed.has(keyText(key)) ||
    around.some(
      ({ share, opened }) =>
        opened.has(keyText(key)) || (share.isRemembered && share.keys[0]?.equals(key) === true),
    );
}

function* foldersAround(folder: string, { owner, folders }: KnownOfPod): Generator<SharedFolder> {
  if (folders.size === 0) return;
  for (let outer = folder; outer.length > owner.root.length; ) {
    outer = parentFolder(outer);
    const shared = folders.get(outer);
    if (shared !== undefined) yield shared;
  }
}

/**
 * A folder that gave no answer may be shared. But only one that was read before matters to a file that
 * was: anybody can name folders in the inbox.
 */
function mayBeShared({ share, listing }: SharedFolder, file: SharedFile): boolean {
  if (!share.isRemembered && sharesOf(file).some((other) => other.isRemembered)) return false;
  if (listing === null || listing.members !== null) return true;
  const { fate } = listing;
  return fate.kind === 'not asked' || (fate.kind === 'missing' && fate.because === 'silence');
}

/** Whether an entry of the inbox names it or the folder that lists it. */
export function mayHaveEntry(file: SharedFile): boolean {
  return sharesOf(file).some((share) => share.mayHaveEntry);
}

export function sharesOf({ share, folder }: SharedFile): ShareToRead[] {
  return [...(share === null ? [] : [share]), ...(folder === null ? [] : [folder.share])];
}

export function keyText(key: Buffer): string {
  return key.toString('latin1');
}
