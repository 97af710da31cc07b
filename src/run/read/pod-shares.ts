import { chunksOf, compare } from '../../base/lists.js';
import type { FolderWithKeys, SharedKeys } from '../../pod/folder-keys.js';
import type { Skipped } from '../../pod/read-resource.js';
import { isFolder, parentFolder } from '../../pod/resource-address.js';
import { isCaller, type Recipients } from '../recipients.js';
import type { Listing } from './list-folder.js';
import type { FileReading, FileToRead, PodSlice, SliceReading } from './read-files.js';
import type { PodToRead, ShareToRead } from './read-task.js';

/** When a share is read. */
export type Phase = 'callers' | 'remembered' | 'new' | 'left over';

/** Small, so that Pods take turns and one that does not answer is found out soon. */
const FILES_PER_TURN = 20;

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

interface ReadSlice {
  files: readonly SharedFile[];
  reading: SliceReading | null;
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

/** What is shared of one Pod, and what became of it so far. */
export class PodShares {
  readonly folders = new Map<string, SharedFolder>();
  readonly files = new Map<string, SharedFile>();
  /** What was read, as far as it counts. */
  readonly slices = new Map<PodSlice, ReadSlice>();
  /** Keys that opened files of other Pods as well. */
  readonly disputed = new Set<string>();
  /** About disputes. */
  readonly warnings: string[] = [];
  readonly #isCaller: boolean;
  #toAsk = 0;

  constructor(
    readonly pod: PodToRead,
    recipients: Recipients,
  ) {
    this.#isCaller = isCaller(recipients, pod.owner.webId);
    for (const share of pod.shares) {
      const { url } = share;
      if (isFolder(url)) this.folders.set(url, { share, listing: null, opened: new Set() });
      else this.files.set(url, { url, share, folder: null, reading: null, slice: null });
      this.#toAsk += 1;
    }
  }

  get owner() {
    return this.pod.owner;
  }

  /** Whether every share has a fate, other than that there was no time for it. */
  get isDone(): boolean {
    return this.#toAsk === 0;
  }

  /** Of those that are known so far: a folder that was not listed yet may hold more. */
  get filesRead(): number {
    const unlisted = [...this.folders.values()].filter(({ listing }) => isUnasked(listing)).length;
    return this.files.size - (this.#toAsk - unlisted);
  }

  /** Lower is earlier: callers first, then those whom the last analysis had no time for. */
  get rank(): number {
    if (this.#isCaller) return 0;
    return this.pod.shares.some((share) => share.wasNotAsked) ? 1 : 2;
  }

  foldersDue(phase: Phase): SharedFolder[] {
    return [...this.folders.values()].filter(
      ({ share, listing }) => isUnasked(listing) && this.#isDue(phase, [share]),
    );
  }

  addListing(folder: SharedFolder, listing: Listing, wants: (url: string) => boolean): void {
    if (listing.fate.kind !== 'not asked') this.#toAsk -= 1;
    folder.listing = listing;
    for (const url of listing.members ?? []) {
      const file = this.files.get(url);
      if (file === undefined) {
        if (!wants(url)) continue;
        this.files.set(url, { url, share: null, folder, reading: null, slice: null });
        this.#toAsk += 1;
        continue;
      }
      file.folder = folder;
      // The key of the folder may open what its own keys do not.
      if (!isUnopened(file.reading)) continue;
      file.reading = null;
      this.#toAsk += 1;
    }
  }

  /** The files that are due, those not asked last time first, in slices. */
  slicesDue(phase: Phase): PodSlice[] {
    const due = [...this.files.values()].filter(
      (file) => isUnasked(file.reading) && this.#isDue(phase, sharesOf(file)),
    );
    const rank = (file: SharedFile) => Number(!sharesOf(file).some((share) => share.wasNotAsked));
    due.sort((one, other) => rank(one) - rank(other) || compare(one.url, other.url));
    return chunksOf(due, FILES_PER_TURN).map((files) => this.#slice(files));
  }

  record(slice: PodSlice, reading: SliceReading): void {
    const read = this.slices.get(slice);
    if (read === undefined) return;
    read.reading = reading;
    for (const [index, file] of read.files.entries()) {
      const found = reading.files[index] ?? null;
      if (isUnasked(file.reading) && !isUnasked(found)) this.#toAsk -= 1;
      file.reading = found;
      if (found?.fate.kind !== 'read' || found.fate.key === null) continue;
      this.folders.get(parentFolder(file.url))?.opened.add(keyText(found.fate.key));
    }
  }

  /** Takes back the slices in which a foreign key opened files; returns what to read in their place. */
  retakeForeign(): PodSlice[] {
    const again: PodSlice[] = [];
    for (const [slice, { files }] of [...this.slices]) {
      if (!files.some((file) => file.slice === slice && this.#countsByForeignKey(file))) continue;
      this.slices.delete(slice);
      again.push(this.#slice(files.filter((file) => file.slice === slice)));
    }
    return again;
  }

  #countsByForeignKey({ url, reading }: SharedFile): boolean {
    if (reading?.fate.kind !== 'read' || reading.fate.key === null) return false;
    return this.#foreignIn(parentFolder(url))?.(reading.fate.key) === true;
  }

  #isDue(phase: Phase, shares: readonly ShareToRead[]): boolean {
    const isRemembered = shares.some((share) => share.isRemembered);
    switch (phase) {
      case 'callers':
        return this.#isCaller;
      case 'remembered':
        return isRemembered;
      case 'new':
        return !isRemembered;
      case 'left over':
        return this.#isCaller || isRemembered;
    }
  }

  #slice(files: readonly SharedFile[]): PodSlice {
    const folders = new Map<string, FolderWithKeys>();
    for (const { folder } of files) {
      if (folder === null || folders.has(folder.share.url)) continue;
      const { url } = folder.share;
      folders.set(url, { url, ...this.#keysIn(url, folder.share) });
    }
    const slice = { owner: this.owner, files: files.map((file) => this.#toRead(file)), folders };
    for (const file of files) file.slice = slice;
    this.slices.set(slice, { files, reading: null });
    return slice;
  }

  #toRead(file: SharedFile): FileToRead {
    const { url, share, folder } = file;
    return {
      url,
      listedIn: folder?.share.url ?? null,
      hasEntry: hasEntry(file),
      objection:
        this.folders.get(parentFolder(url))?.listing?.isWritable === true ? writableFolder : null,
      plainObjection: this.#findPlainObjection(file),
      ...this.#keysIn(parentFolder(url), share ?? noKeys),
    };
  }

  /** The keys for what lies directly in a folder, without those that may not open anything there. */
  #keysIn(folder: string, { keys, foreignKeys }: SharedKeys): SharedKeys {
    const isForeign = this.#foreignIn(folder);
    if (isForeign === null) return { keys, foreignKeys };
    return {
      keys: keys.filter((key) => !isForeign(key)),
      foreignKeys: [...foreignKeys, ...keys.filter(isForeign)],
    };
  }

  /**
   * Tells which keys prove nothing for what lies directly in a folder: those of other Pods, and those
   * of shared folders around it. Their sealed form can be copied from the inbox into an entry for it.
   * Null when there are none.
   */
  #foreignIn(folder: string): ((key: Buffer) => boolean) | null {
    const { disputed } = this;
    const around = [...this.#foldersAround(folder)].filter(
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

  *#foldersAround(folder: string): Generator<SharedFolder> {
    if (this.folders.size === 0) return;
    const { root } = this.owner;
    for (let outer = folder; outer.length > root.length; ) {
      outer = parentFolder(outer);
      const shared = this.folders.get(outer);
      if (shared !== undefined) yield shared;
    }
  }

  /** Whoever can read a shared folder can read what is deeper, so that proves nothing. */
  #findPlainObjection(file: SharedFile): Skipped | null {
    const parent = parentFolder(file.url);
    const folder = this.folders.get(parent);
    const around = [...this.#foldersAround(parent)];
    if (folder !== undefined && file.folder !== folder) around.push(folder);
    return around.some((outer) => mayBeShared(outer, file)) ? unlisted : null;
  }
}

const noKeys: SharedKeys = { keys: [], foreignKeys: [] };

/** Whether an entry of the inbox names it or the folder that lists it. */
export function hasEntry(file: SharedFile): boolean {
  return sharesOf(file).some((share) => share.hasEntry);
}

function sharesOf({ share, folder }: SharedFile): ShareToRead[] {
  return [...(share === null ? [] : [share]), ...(folder === null ? [] : [folder.share])];
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

/** Whether no key of its own opened it. */
function isUnopened(reading: FileReading | null): boolean {
  if (reading === null) return false;
  const { fate } = reading;
  return fate.kind === 'ended' ? fate.by === 'key' : fate.kind === 'missing' && 'key' in fate;
}

function isUnasked(found: { fate: { kind: string } } | null): boolean {
  return found === null || found.fate.kind === 'not asked';
}

export function keyText(key: Buffer): string {
  return key.toString('latin1');
}
