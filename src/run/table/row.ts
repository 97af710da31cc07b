import type { Reading } from '../../analysis/reading.js';
import type { ReadingSums } from '../../analysis/sums.js';
import type { RememberedPod, RememberedShare } from '../../memory/memory.js';
import { isFolder } from '../../pod/addresses.js';
import type { OpenTo } from '../../pod/answer-headers.js';
import { type NotRead, notAsked } from '../../pod/outcome.js';
import type { Owner } from '../../pod/owner.js';

/** A file that counts. */
export interface FileRead {
  readonly kind: 'read';
  /** The key that opened it; null for plaintext. */
  readonly key: Buffer | null;
  /** Whether it says that it takes the key of the shared folder that lists it. */
  readonly inherits: boolean;
  readonly sums: ReadingSums;
  /** The readings behind the sums, or the latest of very many, if the Pod is served; else empty. */
  readonly readings: readonly Reading[];
}

export type FileOutcome = FileRead | NotRead;
export type FolderOutcome = { readonly kind: 'listed' } | NotRead;

type Given = Pick<Row, 'url' | 'folder'> &
  Partial<Pick<Row, 'keys' | 'foreign' | 'known' | 'hasEntry' | 'isListed'>>;

/** Shared by all rows: there can be a row for every reading of a cohort, so each is kept small. */
const nobody: ReadonlySet<string> = new Set();
const nothing: readonly never[] = [];

/**
 * One row of the table that an analysis fills in: a shared file or folder, or a file that a shared folder lists. Step 4
 * notes what its server answers; then judge-rows.ts rejects what perhaps somebody else than the owner shared.
 */
export class Row {
  /** Canonical; a folder's ends in a slash. */
  readonly url: string;
  /** Given for this address, in the order to try them: the remembered key first. Anybody can have added wrong keys. */
  readonly keys: readonly Buffer[];
  /** Other Pods, by the digests of their roots: keys of theirs were given for this address too, and are never tried. */
  readonly foreign: ReadonlySet<string>;
  /** As it was read before; null for a new share. Only what was read before can be missing. */
  readonly known: RememberedShare | null;
  /** Whether an entry of the inbox names it. Also true when the inbox was not read: it may hold an entry. */
  readonly hasEntry: boolean;
  /** The shared folder directly around it. */
  readonly folder: Row | null;
  /** Whether the folder lists it. */
  isListed: boolean;
  /** Null for a file. */
  readonly #files: Row[] | null;
  #outcome: FileOutcome | FolderOutcome = notAsked;
  #openTo: OpenTo = 'unknown';

  constructor(given: Given) {
    this.url = given.url;
    this.folder = given.folder;
    this.keys = given.keys ?? nothing;
    this.foreign = given.foreign ?? nobody;
    this.known = given.known ?? null;
    this.hasEntry = given.hasEntry ?? false;
    this.isListed = given.isListed ?? false;
    this.#files = isFolder(given.url) ? [] : null;
    if (given.folder !== null) given.folder.#files?.push(this);
  }

  /** Of a folder, the files directly in it that have a row. */
  get files(): readonly Row[] {
    return this.#files ?? nothing;
  }

  get outcome(): FileOutcome | FolderOutcome {
    return this.#outcome;
  }

  /** To whom a folder is open; a file is judged by this where it is read. */
  get openTo(): OpenTo {
    return this.#openTo;
  }

  /** What was read of the file; null if it does not count, and for a folder. */
  get read(): FileRead | null {
    return this.#outcome.kind === 'read' ? this.#outcome : null;
  }

  /** Also when it is asked for a second time. */
  answered(outcome: FileOutcome | FolderOutcome, openTo: OpenTo = 'unknown'): void {
    this.#outcome = outcome;
    this.#openTo = openTo;
  }

  /** It was given, and does not count all the same. */
  reject(why: NotRead): void {
    this.#outcome = why;
  }

  /** So that a huge Pod does not fill the memory. */
  keepReadings(isKept: (reading: Reading) => boolean): void {
    const { read } = this;
    if (read !== null) this.#outcome = { ...read, readings: read.readings.filter(isKept) };
  }
}

/** Everything that one Pod shares. */
export interface Pod {
  readonly owner: Owner;
  /** A keyed digest of the root. */
  readonly digest: string;
  readonly known: RememberedPod | null;
  /** The inbox could not be read, so there may be more than these rows. */
  readonly mayShareMore: boolean;
  /** By address. */
  readonly rows: Map<string, Row>;
}

export function filesOf({ rows }: Pick<Pod, 'rows'>): Row[] {
  return [...rows.values()].filter(({ url }) => !isFolder(url));
}

export function foldersOf({ rows }: Pick<Pod, 'rows'>): Row[] {
  return [...rows.values()].filter(({ url }) => isFolder(url));
}

/** The folder whose keys may open the file: it lists the file, and nobody else can write to it. */
export function lendingFolder({ folder, isListed }: Row): Row | null {
  return isListed && folder?.outcome.kind === 'listed' ? folder : null;
}

/** Whether an entry names the file, or the folder that shares it. */
export function isNamed({ hasEntry, folder, isListed }: Row): boolean {
  if (hasEntry || folder === null) return hasEntry;
  return folder.hasEntry && (isListed || folder.known !== null);
}

/** The key that opened a file that counts. */
export function keyOf({ read }: Row): Buffer | null {
  return read === null ? null : read.key;
}
