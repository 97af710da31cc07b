import { isFor, type Outcome } from '../../pod/outcome.js';
import type { Listing } from './list-folder.js';
import type { FileReading, ShareToRead } from './read-task.js';

export interface SharedFolder {
  readonly share: ShareToRead;
  /** Null until it is asked for. */
  listing: Listing | null;
  /**
   * Files directly in the folder with shares of their own. They may need the folder's keys, so they wait for the
   * listing.
   */
  readonly held: SharedFile[];
}

export interface SharedFile {
  readonly url: string;
  /** The share of the file itself; null where only a folder shares it. */
  readonly share: ShareToRead | null;
  /** The shared folder that lists it. */
  folder: SharedFolder | null;
  /** Null until it is read. */
  reading: FileReading | null;
}

/** Whether the keys of the folder may open its files: the folder was listed, and nobody else can write to it. */
export function lends({ listing }: SharedFolder): boolean {
  return listing?.outcome.kind === 'read';
}

/** Whether others than the owner may put files into the folder. */
export function isWritable({ listing }: SharedFolder): boolean {
  return listing !== null && isFor(listing.outcome, 'writable');
}

/** The outcome of the file; null until it is read. */
export function outcomeOf({ reading }: SharedFile): Outcome | null {
  return reading?.outcome ?? null;
}

/** Whether an entry of the inbox names the file or the folder that lists it, as far as is known. */
export function mayHaveEntry(file: SharedFile): boolean {
  return sharesOf(file).some((share) => share.mayHaveEntry);
}

/** Whether the share of the file, or of the folder that lists it, was read in an earlier analysis. */
export function isRemembered(file: SharedFile): boolean {
  return sharesOf(file).some((share) => share.isRemembered);
}

/** The keys that were shared for the file itself. */
export function keysFor({ share }: SharedFile): readonly Buffer[] {
  return share?.keys ?? [];
}

export function sharesOf({ share, folder }: SharedFile): ShareToRead[] {
  return [...(share === null ? [] : [share]), ...(folder === null ? [] : [folder.share])];
}
