import { chunksOf, compare } from '../../base/lists.js';
import type { FolderWithKeys, SharedKeys } from '../../pod/folder-keys.js';
import { isFolder, parentFolder } from '../../pod/resource-address.js';
import type { Listing } from './list-folder.js';
import {
  countsByForeignKey,
  keyText,
  mayHaveEntry,
  objectionsTo,
  provingKeys,
  type SharedFile,
  type SharedFolder,
  sharesOf,
} from './proof-of-share.js';
import type { FileReading, FileToRead, PodSlice, SliceReading } from './read-task.js';
import { type Callers, isCaller, type PodToRead, type ShareToRead } from './read-task.js';

/** When a share is read; `left over` is what callers and remembered shares had no time for before. */
export type Phase = 'callers' | 'remembered' | 'new' | 'left over';

/** Small, so that no Pod keeps others waiting and one that does not answer is found out soon. */
const FILES_PER_SLICE = 20;

interface ReadSlice {
  files: readonly SharedFile[];
  reading: SliceReading | null;
}

/** What is shared of one Pod, and what became of it so far. */
export class PodShares {
  readonly folders = new Map<string, SharedFolder>();
  readonly files = new Map<string, SharedFile>();
  /** What was read, as far as it counts. */
  readonly slices = new Map<PodSlice, ReadSlice>();
  /** Keys that opened files of other Pods as well, as keepOnePodForEachKey finds out. */
  readonly disputed = new Set<string>();
  /** About disputes. */
  readonly warnings: string[] = [];
  readonly #isCaller: boolean;
  #toAsk = 0;

  constructor(
    readonly pod: PodToRead,
    callers: Callers,
  ) {
    this.#isCaller = isCaller(callers, pod.owner.webId);
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

  /** Files with a fate, of those that are known so far: a folder that was not listed yet may hold more. */
  get filesDone(): number {
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
    return chunksOf(due, FILES_PER_SLICE).map((files) => this.#slice(files));
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

  /** For keepOnePodForEachKey: takes back the slices in which a foreign key opened files; returns what to read in their place. */
  retakeForeign(): PodSlice[] {
    const again: PodSlice[] = [];
    for (const [slice, { files }] of [...this.slices]) {
      if (!files.some((file) => file.slice === slice && countsByForeignKey(file, this))) continue;
      this.slices.delete(slice);
      again.push(this.#slice(files.filter((file) => file.slice === slice)));
    }
    return again;
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
      folders.set(url, { url, ...provingKeys(url, folder.share, this) });
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
      mayHaveEntry: mayHaveEntry(file),
      ...objectionsTo(file, this),
      ...provingKeys(parentFolder(url), share ?? noKeys, this),
    };
  }
}

const noKeys: SharedKeys = { keys: [], foreignKeys: [] };

/** Whether no key of its own opened it. */
function isUnopened(reading: FileReading | null): boolean {
  if (reading === null) return false;
  const { fate } = reading;
  return fate.kind === 'ended' ? fate.by === 'key' : fate.kind === 'missing' && 'key' in fate;
}

function isUnasked(found: { fate: { kind: string } } | null): boolean {
  return found === null || found.fate.kind === 'not asked';
}
