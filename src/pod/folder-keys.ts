import { folderInPod, parentFolder } from './resource-address.js';

export interface CandidateKey {
  key: Buffer;
  /** The folder that the key belongs to; null for a key shared for the file itself. */
  folder: string | null;
}

export interface KeyedFile {
  url: string;
  /** The root of the Pod that the file lies in. */
  root: string;
  /** Keys shared for the file itself. */
  keys: readonly Buffer[];
  /** The folder that the file says it takes its key from. */
  inheritKeyFrom: string | null;
}

/** How many folder keys are tried for one Pod: some seconds, and more than an honest Pod needs. */
const MOST_JUDGED = 1_000_000;

/**
 * The keys of shared folders. Anybody can add wrong ones, so the key that opened a file is tried
 * first on every other file of that folder. The lists themselves are never changed, because many
 * files walk through them at once.
 */
export class FolderKeys {
  readonly #keys: ReadonlyMap<string, readonly Buffer[]>;
  readonly #proven = new Map<string, Buffer>();
  /** Keys tried so far, by the root of the Pod. */
  readonly #judged = new Map<string, number>();

  constructor(keys: ReadonlyMap<string, readonly Buffer[]>) {
    this.#keys = keys;
  }

  /** Keys that may open a file, the likely ones first. */
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

  /** Whether a key was shared for this file, or for the folder that it names. */
  hasMeantKey({ keys, inheritKeyFrom, root }: KeyedFile): boolean {
    const folder = folderInPod(inheritKeyFrom, root);
    return keys.length > 0 || (folder !== null && (this.#keys.get(folder)?.length ?? 0) > 0);
  }

  /** Folders with keys: the one that the file names, then, as a last resort, those it lies in. */
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
