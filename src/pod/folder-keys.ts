import { folderInPod, parentFolder } from './resource-address.js';

export interface CandidateKey {
  key: Buffer;
  /** The folder whose key it is; null for a key that was shared for the file itself. */
  folder: string | null;
}

export interface KeyedFile {
  url: string;
  /** Of the Pod it lies in. */
  root: string;
  /** Shared for the file itself. */
  keys: readonly Buffer[];
  /** The folder that the file says it takes its key from. */
  inheritKeyFrom: string | null;
}

/** Keys of folders that may be judged for one Pod: some seconds, and more than honest Pods need. */
const MOST_JUDGED = 1_000_000;

/**
 * Keys of shared folders, and what has been learnt about them. Anybody can add wrong ones, so the
 * one that opened a file is tried first on every other file of that folder. The lists themselves
 * are never changed: many files walk through them at once.
 */
export class FolderKeys {
  readonly #keys: ReadonlyMap<string, readonly Buffer[]>;
  readonly #proven = new Map<string, Buffer>();
  /** By Pod. */
  readonly #judged = new Map<string, number>();

  constructor(keys: ReadonlyMap<string, readonly Buffer[]>) {
    this.#keys = keys;
  }

  /** What may open a file, the likely first. */
  *candidates(file: KeyedFile): Generator<CandidateKey> {
    const folders = this.#foldersOf(file);
    const tried = new Set<Buffer>();
    for (const folder of folders) {
      const key = this.#proven.get(folder);
      if (key === undefined) continue;
      tried.add(key);
      yield { key, folder };
    }
    for (const key of file.keys) yield { key, folder: null };
    for (const folder of folders) {
      for (const key of this.#keys.get(folder) ?? []) {
        if (tried.has(key)) continue;
        if (!this.#mayJudge(file.root)) return;
        yield { key, folder };
      }
    }
  }

  proved({ key, folder }: CandidateKey): void {
    if (folder !== null) this.#proven.set(folder, key);
  }

  /** Whether a key was shared that is meant for this file: its own, or of the folder it names. */
  hasMeantKey({ keys, inheritKeyFrom, root }: KeyedFile): boolean {
    const folder = folderInPod(inheritKeyFrom, root);
    return keys.length > 0 || (folder !== null && (this.#keys.get(folder)?.length ?? 0) > 0);
  }

  /** Those with keys: the one the file names, then, as a last resort, every one it lies in. */
  #foldersOf({ url, root, inheritKeyFrom }: KeyedFile): string[] {
    const folders = new Set<string>();
    const named = folderInPod(inheritKeyFrom, root);
    if (named !== null) folders.add(named);
    for (let folder = parentFolder(url); folder.startsWith(root); folder = parentFolder(folder)) {
      folders.add(folder);
    }
    return [...folders].filter((folder) => this.#keys.has(folder));
  }

  #mayJudge(root: string): boolean {
    const judged = (this.#judged.get(root) ?? 0) + 1;
    this.#judged.set(root, judged);
    return judged <= MOST_JUDGED;
  }
}
