import { folderInPod } from './addresses.js';

export interface CandidateKey {
  key: Buffer;
  /** The folder that the key belongs to; null for a key shared for the file itself. */
  folder: string | null;
}

/** Keys shared for a file or a folder. Anybody can have added wrong keys. */
export interface SharedKeys {
  /** In the order to try them. */
  keys: readonly Buffer[];
}

export interface FolderWithKeys extends SharedKeys {
  url: string;
}

export interface KeyedFile extends SharedKeys {
  /** The root of the Pod that the file lies in. */
  root: string;
  /** The shared folder that lists the file. */
  folder: FolderWithKeys | null;
  /** The folder that the file says it takes its key from. */
  inheritKeyFrom: string | null;
}

/** The most folder keys that are tried for one Pod. An honest Pod needs fewer; this number takes some seconds. */
const MOST_JUDGED = 1_000_000;

/**
 * The keys of the shared folders of one Pod. A key that opened a file is tried first on the other files of its
 * folder.
 */
export class FolderKeys {
  readonly #proven = new Map<string, Buffer>();
  #judged = 0;

  /** Whether keys were left out because there were too many. */
  get isExhausted(): boolean {
    return this.#judged > MOST_JUDGED;
  }

  /** Keys that may open a file, the likely ones first. */
  *candidates(file: KeyedFile): Generator<CandidateKey> {
    const folder = folderOf(file);
    const proven = folder === null ? null : (this.#proven.get(folder.url) ?? null);
    if (folder !== null && proven !== null) {
      yield { key: proven, folder: folder.url };
    }
    for (const key of file.keys) yield { key, folder: null };
    const ofFolder = folder?.keys ?? [];
    for (const key of ofFolder) {
      if (key === proven) continue;
      // The first is the remembered one: no flood of others takes from a file what opened it before.
      if (key !== ofFolder[0]) {
        this.#judged += 1;
        if (this.isExhausted) break;
      }
      yield { key, folder: folder?.url ?? null };
    }
  }

  proved({ key, folder }: CandidateKey): void {
    if (folder !== null) this.#proven.set(folder, key);
  }
}

/** Whether a key was shared for this file, or for the folder from which the file says it takes its key. */
export function hasMeantKey(file: KeyedFile): boolean {
  return file.keys.length > 0 || (inheritsKey(file) && (file.folder?.keys.length ?? 0) > 0);
}

/** Whether the file says that it takes the key of the shared folder that lists it. */
export function inheritsKey(file: KeyedFile): boolean {
  return file.inheritKeyFrom !== null && folderOf(file) !== null;
}

/** The shared folder whose keys may open the file; null without such a folder, or when the file names another one. */
function folderOf({ folder, inheritKeyFrom, root }: KeyedFile): FolderWithKeys | null {
  if (folder === null || inheritKeyFrom === null) return folder;
  return folderInPod(inheritKeyFrom, root) === folder.url ? folder : null;
}
