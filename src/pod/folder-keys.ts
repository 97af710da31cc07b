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
  /** The shared folder from which the file takes its key. */
  folder: FolderWithKeys | null;
}

/** The most folder keys that are tried for one Pod. An honest Pod needs fewer; this number takes some seconds. */
const MOST_JUDGED = 1_000_000;

/** A key that opened a file is tried first on the other files of its folder. */
export class FolderKeys {
  readonly #proven = new Map<string, Buffer>();
  #judged = 0;

  get isExhausted(): boolean {
    return this.#judged > MOST_JUDGED;
  }

  *candidates({ keys, folder }: KeyedFile): Generator<CandidateKey> {
    const proven = folder === null ? null : (this.#proven.get(folder.url) ?? null);
    if (folder !== null && proven !== null) {
      yield { key: proven, folder: folder.url };
    }
    for (const key of keys) yield { key, folder: null };
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

export function hasKeys({ keys, folder }: KeyedFile): boolean {
  return keys.length > 0 || (folder !== null && folder.keys.length > 0);
}
