import type { LatestAverages } from '../../analysis/home.js';
import type { AnalysisRules, PodAggregate } from '../../analysis/pod-aggregate.js';
import type { Reading } from '../../analysis/reading.js';
import type { CountedFigures } from '../../analysis/summarise-cohort.js';
import type { PodSummary } from '../../analysis/summarise-pod.js';
import type { FolderWithKeys, SharedKeys } from '../../pod/folder-keys.js';
import type { Outcome } from '../../pod/outcome.js';
import type { Owner } from '../../pod/pod-of-resource.js';
import type { OpenTo } from '../../pod/public-access.js';

/** The types of the question to step 4 and of its answer. */

/** A file or folder that an entry of the inbox or the memory names. */
export interface ShareToRead {
  /** Canonical; a folder's ends in a slash. */
  url: string;
  /** In the order to try them: the remembered key first. Anybody can have added wrong keys. */
  keys: readonly Buffer[];
  /** The key that opened the share before; null for a new share, and where nothing was encrypted. */
  rememberedKey: Buffer | null;
  /** Keys of other Pods. They are never tried, but we remember that this Pod was given them. */
  foreignKeys: readonly Buffer[];
  /** Whether an entry of the inbox names the share. Also true when the inbox was not read: it may hold an entry. */
  mayHaveEntry: boolean;
  isRemembered: boolean;
}

export interface PodToRead {
  owner: Owner;
  /** Sorted by address. */
  shares: readonly ShareToRead[];
  /** For how many analyses in succession there was no time for all of the Pod. */
  waited: number;
}

/** Is told now and then how many of the shared files were read. */
export type OnFiles = (read: number, all: number) => void;

export interface ReadTask {
  rules: AnalysisRules;
  /** Pods of callers come before new Pods, and only charts of callers are drawn; null for run-once, which draws all. */
  callers: Callers;
  /**
   * When the time of the analysis ends, by `performance.now()`. In run-once, reading from the Analyser's own server has
   * no limit.
   */
  until: number;
  /**
   * Tells whether a file that stands in the listing of a shared folder is data. The address has to be canonical.
   */
  wants: (url: string) => boolean;
  onPod?: ((done: number, all: number) => void) | undefined;
  onFiles?: OnFiles | undefined;
  signal: AbortSignal;
}

/** One file to read. The keys are those shared for the file itself. */
export interface FileToRead extends SharedKeys {
  url: string;
  /** The shared folder whose keys may open the file; null if there is none. */
  listedIn: string | null;
  mayHaveEntry: boolean;
  isRemembered: boolean;
}

/** Some files of one Pod, which are read in one go, here or by a worker. */
export interface FilesOfPod {
  owner: Owner;
  files: readonly FileToRead[];
  /** The shared folders whose keys may open these files, by address. */
  folders: ReadonlyMap<string, FolderWithKeys>;
}

/** How the files of one server may be asked for. */
export interface AskingRules {
  /** The latest moment, by `performance.now()`, because people can set the clock of the machine. */
  until: number;
  /** How many files at once. */
  atOnce: number;
  /** Aborts with a TimeUpError when the time ends. */
  signal: AbortSignal;
}

export interface FileReading {
  outcome: Outcome;
  openTo: OpenTo;
  /** Null for a file that does not count. */
  sums: PodAggregate | null;
  /** The readings behind the figures, if the Pod's chart is drawn; else empty. */
  readings: readonly Reading[];
  /** Whether the file holds more readings than are read of one file. */
  isCut: boolean;
}

/** Reads files of some Pods, here or through a worker. */
export interface PartReader {
  /** How many files go into one part when there are `files` in all. */
  filesPerPart(files: number): number;
  /** In the order of the Pods and their files; files that were not asked for can be absent. */
  readPart(part: readonly FilesOfPod[], asking: AskingRules): Promise<FileReading[][]>;
}

export interface FileOutcome {
  /** Canonical. */
  url: string;
  /** The shared folder that directly contains the file and lists it; null for a file with only its own share. */
  listedIn: string | null;
  outcome: Outcome;
  /** The shares that hold the key that opened the file: of the file itself, of its folder, or both. */
  provenShares: readonly string[];
}

export interface FolderOutcome {
  url: string;
  outcome: Outcome;
}

/** What was read of one Pod. */
export interface PodReading extends LatestAverages {
  owner: Owner;
  summary: PodSummary;
  /** What the Pod would add to the figures of the cohort. */
  figures: CountedFigures;
  /**
   * The readings behind the figures, if the Pod's chart is drawn; else empty. Both latest averages are made of these
   * readings, so they are null where the chart is not drawn.
   */
  readings: Reading[];
  /** Every file that is shared by itself or by a folder that lists it, in order of address. */
  files: FileOutcome[];
  folders: FolderOutcome[];
  filesRead: number;
  /** Shared files that do not count, except revoked files whose entry is gone too. */
  filesSkipped: number;
  /** The number of files and folders for which there was no time. */
  notAsked: number;
  /** About files, folders and copied keys, up to a useful number. */
  warnings: string[];
}

/** The WebIDs that called, canonical; null for run-once, which serves every contributor. */
export type Callers = readonly string[] | null;

/** Whether a result can be made: a file was read, and there was time to ask for all files and folders. */
export function isReadWhole({ filesRead, notAsked }: PodReading): boolean {
  return filesRead > 0 && notAsked === 0;
}

/** Whether a result is made for the WebID. */
export function isServed(callers: Callers, webId: string): boolean {
  return callers === null || callers.includes(webId);
}

/** Whether the WebID itself called and waits for the outcome. */
export function isCaller(callers: Callers, webId: string): boolean {
  return callers !== null && callers.includes(webId);
}

/** Each WebID once; null, as for run-once, if one of them is null. */
export function distinctCallers(webIds: readonly (string | null)[]): Callers {
  if (webIds.includes(null)) return null;
  return [...new Set(webIds.flatMap((webId) => webId ?? []))];
}
