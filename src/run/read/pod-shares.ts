import { latestReadings, MOST_DRAWN } from '../../analysis/pod-aggregate.js';
import type { Reading } from '../../analysis/reading.js';
import type { FolderWithKeys } from '../../pod/folder-keys.js';
import { isFolder, parentFolder } from '../../pod/resource-address.js';
import type { Listing } from './list-folder.js';
import {
  type Callers,
  type FileReading,
  type FilesOfPod,
  type FileToRead,
  isCaller,
  type PodToRead,
  type ShareToRead,
} from './read-task.js';
import {
  isRemembered,
  keysFor,
  lends,
  mayHaveEntry,
  type SharedFile,
  type SharedFolder,
  sharesOf,
} from './shared-file.js';

/** The shares of one Pod: files and folders that are still to be asked for, and the outcomes of the others. */
export class PodShares {
  readonly folders = new Map<string, SharedFolder>();
  readonly files = new Map<string, SharedFile>();
  /** About keys that somebody has copied. */
  readonly warnings: string[] = [];
  readonly isCaller: boolean;
  /** Remembered shares are asked for before new shares, which anybody can have named. */
  readonly #remembered = new Line();
  readonly #new = new Line();
  #toCome = 0;
  #kept = 0;
  #isThinned = false;

  constructor(
    readonly pod: PodToRead,
    callers: Callers,
  ) {
    this.isCaller = isCaller(callers, pod.owner.webId);
    const [ofFolders, ofFiles] = [pod.shares.filter(isOfFolder), pod.shares.filter(isOfFile)];
    for (const share of ofFolders) {
      this.folders.set(share.url, { share, listing: null, held: [] });
    }
    const free: SharedFile[] = [];
    for (const share of ofFiles) {
      const file: SharedFile = { url: share.url, share, folder: null, reading: null };
      this.files.set(share.url, file);
      (this.folders.get(parentFolder(share.url))?.held ?? free).push(file);
    }
    for (const folder of this.folders.values()) {
      this.#add(folder, [folder.share, ...folder.held.flatMap(sharesOf)]);
    }
    for (const file of free) this.#add(file, sharesOf(file));
    this.#toCome = pod.shares.length;
  }

  get owner() {
    return this.pod.owner;
  }

  /** Whether a share of the Pod was read in an earlier analysis. */
  get isRemembered(): boolean {
    return this.pod.shares.some((share) => share.isRemembered);
  }

  /** Whether readings were dropped, because there were far more than are drawn. */
  get isThinned(): boolean {
    return this.#isThinned;
  }

  /** Whether every shared file and folder has an outcome. */
  get isDone(): boolean {
    return this.#toCome === 0;
  }

  get filesDone(): number {
    return [...this.files.values()].filter(({ reading }) => reading !== null).length;
  }

  get hasWaiting(): boolean {
    return this.#remembered.next !== undefined || this.#new.next !== undefined;
  }

  get isFolderNext(): boolean {
    const next = this.#remembered.next ?? this.#new.next;
    return next !== undefined && 'listing' in next;
  }

  /** The next to ask, a folder or some files; null when nothing waits. */
  take(most: number): SharedFolder | SharedFile[] | null {
    const line = this.#remembered.next === undefined ? this.#new : this.#remembered;
    const first = line.next;
    if (first === undefined) return null;
    if ('listing' in first) {
      line.advance();
      return first;
    }
    const files: SharedFile[] = [];
    for (let next = line.next; next !== undefined && 'url' in next; next = line.next) {
      if (files.length === most) break;
      files.push(next);
      line.advance();
    }
    return files;
  }

  addListing(folder: SharedFolder, listing: Listing, wants: (url: string) => boolean): void {
    folder.listing = listing;
    this.#toCome -= 1;
    for (const url of listing.members ?? []) {
      const file = this.files.get(url);
      if (file !== undefined) file.folder = folder;
      // A file in a folder that others may write to needs a share of its own.
      else if (lends(folder) && wants(url)) {
        const found: SharedFile = { url, share: null, folder, reading: null };
        this.files.set(url, found);
        this.#toCome += 1;
        this.#add(found, sharesOf(found));
      }
    }
    for (const file of folder.held.splice(0)) this.#add(file, sharesOf(file));
  }

  /** Notes the reading of a file, also when the file is read again. */
  record(file: SharedFile, reading: FileReading): void {
    if (file.reading === null) this.#toCome -= 1;
    file.reading = reading;
    this.#kept += reading.readings.length;
    if (this.#kept >= 2 * MOST_DRAWN) this.#thinOut();
  }

  /** Returns the files with the keys, known by now, that may open them. */
  toRead(files: readonly SharedFile[]): FilesOfPod {
    const folders = new Map<string, FolderWithKeys>();
    for (const { folder } of files) {
      const lending = lendingFolder(folder);
      if (lending === null) continue;
      const { url, keys } = lending.share;
      folders.set(url, { url, keys });
    }
    return { owner: this.owner, folders, files: files.map((file) => this.#toRead(file)) };
  }

  #toRead(file: SharedFile): FileToRead {
    return {
      url: file.url,
      listedIn: lendingFolder(file.folder)?.share.url ?? null,
      mayHaveEntry: mayHaveEntry(file),
      isRemembered: isRemembered(file),
      keys: keysFor(file),
    };
  }

  #add(item: SharedFolder | SharedFile, shares: readonly ShareToRead[]): void {
    const wasRead = shares.some((share) => share.isRemembered);
    (wasRead ? this.#remembered : this.#new).add(item);
  }

  /** Keeps only the latest readings: as many as are drawn. */
  #thinOut(): void {
    const readings = [...this.files.values()].flatMap(({ reading }) => reading ?? []);
    const latest = new Set<Reading>(latestReadings(readings.flatMap((each) => each.readings)));
    for (const reading of readings) {
      reading.readings = reading.readings.filter((each) => latest.has(each));
    }
    this.#kept = latest.size;
    this.#isThinned = true;
  }
}

/** In order of arrival. */
class Line {
  readonly #items: (SharedFolder | SharedFile)[] = [];
  #at = 0;

  get next(): SharedFolder | SharedFile | undefined {
    return this.#items[this.#at];
  }

  add(item: SharedFolder | SharedFile): void {
    this.#items.push(item);
  }

  advance(): void {
    this.#at += 1;
  }
}

function lendingFolder(folder: SharedFolder | null): SharedFolder | null {
  return folder !== null && lends(folder) ? folder : null;
}

function isOfFolder({ url }: ShareToRead): boolean {
  return isFolder(url);
}

function isOfFile({ url }: ShareToRead): boolean {
  return !isFolder(url);
}
