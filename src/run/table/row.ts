import type { Reading } from '../../analysis/reading.js';
import type { ReadingSums } from '../../analysis/sums.js';
import type { RememberedPod, RememberedShare } from '../../memory/memory.js';
import type { OpenTo } from '../../pod/answer-headers.js';
import { type NotRead, notAsked, notRead } from '../../pod/outcome.js';
import type { Owner } from '../../pod/owner.js';

/** A file that counts. */
export interface FileRead {
  readonly kind: 'read';
  /** The key that opened it; null for plaintext. */
  readonly key: Buffer | null;
  /** The folder from which it says that it takes its key. */
  readonly keyFrom: string | null;
  readonly sums: ReadingSums;
  /** The readings behind the sums, or the latest of very many, if the Pod is served; else empty. */
  readonly readings: readonly Reading[];
}

export type FileOutcome = FileRead | NotRead;
export type FolderOutcome = { readonly kind: 'listed' } | NotRead;

/** Shared by all rows: there can be a row for every reading of a cohort, so each is kept small. */
const nobody: ReadonlySet<string> = new Set();
const nothing: readonly never[] = [];

/** What is asked for, and what was answered. */
abstract class Asked<Known, Outcome> {
  /** Canonical; a folder's ends in a slash. */
  readonly url: string;
  /** Given for this address, in the order to try them: the remembered key first. Anybody can have added wrong keys. */
  readonly keys: readonly Buffer[];
  /** Other Pods, by their `rootDigest`: keys of theirs were given for this address too, and are never tried. */
  readonly otherHolders: ReadonlySet<string>;
  /** As it is remembered; null for a new one. */
  readonly known: Known | null;
  /** An entry of the inbox names it, or perhaps does, when the inbox was not read. */
  readonly mayHaveEntry: boolean;
  /** Until it is asked for, that it was not. */
  outcome: Outcome | NotRead = notAsked;

  constructor({ url, keys, otherHolders, known, mayHaveEntry }: Given<Known>) {
    this.url = url;
    this.keys = keys ?? nothing;
    this.otherHolders = otherHolders ?? nobody;
    this.known = known ?? null;
    this.mayHaveEntry = mayHaveEntry ?? false;
  }
}

type Given<Known> = Pick<Asked<Known, never>, 'url'> &
  Partial<Pick<Asked<Known, never>, 'keys' | 'otherHolders' | 'known' | 'mayHaveEntry'>>;

/** A folder in which new files are looked for. It has no fate of its own: what is shared are files. */
export class Folder extends Asked<{ key: Buffer | null }, FolderOutcome> {
  openTo: OpenTo = 'unknown';
  /** The files directly in it that have a row. */
  readonly files: Row[] = [];

  /** Whether an entry or the memory names it, not only a file that says it takes its key from there. */
  get isNamed(): boolean {
    return this.mayHaveEntry || this.known !== null;
  }
}

/**
 * One row of the table that an analysis fills in: a file that is shared by itself or in a folder. Step 4 notes what its
 * server answers; then judge-rows.ts rejects what perhaps somebody else than the owner shared. Only what was read before,
 * and so is known, can be missing.
 */
export class Row extends Asked<RememberedShare, FileOutcome> {
  /** The folder directly around it, if it is asked for. */
  folder: Folder | null;
  /** Whether the folder lists it. */
  isListed: boolean;

  constructor(given: Given<RememberedShare> & Partial<Pick<Row, 'folder' | 'isListed'>>) {
    super(given);
    this.folder = given.folder ?? null;
    this.isListed = given.isListed ?? false;
    this.folder?.files.push(this);
  }

  listedBy(folder: Folder): void {
    if (this.folder === null) folder.files.push(this);
    this.folder = folder;
    this.isListed = true;
  }

  /** What was read of the file; null if it does not count. */
  get read(): FileRead | null {
    return this.outcome.kind === 'read' ? this.outcome : null;
  }

  /** So that a huge Pod does not fill the memory. */
  keepReadings(isKept: (reading: Reading) => boolean): void {
    const { read } = this;
    if (read !== null) this.outcome = { ...read, readings: read.readings.filter(isKept) };
  }
}

/** Everything that one Pod shares. */
export interface Pod {
  readonly owner: Owner;
  /** A keyed digest of the root. */
  readonly rootDigest: string;
  readonly known: RememberedPod | null;
  /** The inbox could not be read, so there may be more than is named here. */
  readonly mayShareMore: boolean;
  /** By address, as the folders. */
  readonly rows: Map<string, Row>;
  readonly folders: Map<string, Folder>;
  /** Those that nobody named, but files that take their keys from there. */
  readonly unnamed: Folder[];
}

export function filesOf({ rows }: Pick<Pod, 'rows'>): Row[] {
  return [...rows.values()];
}

/** Files and folders: all that is asked for. */
export function askedOf({ rows, folders }: Pick<Pod, 'rows' | 'folders'>): (Row | Folder)[] {
  return [...folders.values(), ...rows.values()];
}

/**
 * The folder whose keys may open a file that says it takes its key from there: one that lists the file, and to which
 * nobody else can write. Where both are remembered, an earlier analysis has seen so.
 */
export function lendingFolder({ folder, isListed, known }: Row): Folder | null {
  if (folder === null) return null;
  const wasListed = known !== null && folder.known !== null;
  return wasListed || (isListed && folder.outcome.kind === 'listed') ? folder : null;
}

/** Of one Pod: each costs a request and a listing, and every file can name another. */
export const MOST_UNNAMED = 100;
const tooMany = notRead(
  'not asked',
  `its files take their keys from more than ${MOST_UNNAMED} folders`,
);

/**
 * Adds the folder from which a new file says that it takes its key; null if it is not to be asked for. What the server
 * lists tells whether the file was shared, so it is asked whether an entry names the folder or not: anybody can add entries.
 */
export function addFolderOf(
  { folders, unnamed }: Pick<Pod, 'folders' | 'unnamed'>,
  { known, read }: Row,
): Folder | null {
  const url = known === null ? read?.keyFrom : null;
  if (!url || folders.has(url)) return null;
  const folder = new Folder({ url });
  folders.set(url, folder);
  unnamed.push(folder);
  if (unnamed.length <= MOST_UNNAMED) return folder;
  folder.outcome = tooMany;
  return null;
}

/** Whether an entry names the file, or the folder that shares it, or perhaps does. */
export function isNamed({ mayHaveEntry, folder, isListed }: Row): boolean {
  if (mayHaveEntry || folder === null) return mayHaveEntry;
  return folder.mayHaveEntry && (isListed || folder.known !== null);
}

/** The key that opened a file that counts. */
export function keyOf({ read }: Row): Buffer | null {
  return read === null ? null : read.key;
}

export function isIn(keys: readonly Buffer[], key: Buffer | null): boolean {
  return key !== null && keys.some((one) => one.equals(key));
}

/** To compare keys by; empty for none. */
export function keyText(key: Buffer | null): string {
  return key?.toString('latin1') ?? '';
}
