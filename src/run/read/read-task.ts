import type { AnalysisRules, PodAggregate } from '../../analysis/pod-aggregate.js';
import type { Reading } from '../../analysis/reading.js';
import type { FolderWithKeys, SharedKeys } from '../../pod/folder-keys.js';
import type { Outcome } from '../../pod/outcome.js';
import type { Owner } from '../../pod/pod-of-resource.js';
import type { OpenTo } from '../../pod/public-access.js';
import type { Deadline, ReadingTime } from './patience.js';

/** Is told now and then how many of the shared files were read. */
export type OnFiles = (read: number, all: number) => void;

/** The WebIDs that called, canonical; null for run-once, which serves every contributor. */
export type Callers = readonly string[] | null;

export interface ReadTask {
  rules: AnalysisRules;
  /** Only charts of callers are drawn; null for run-once, which draws all. */
  callers: Callers;
  /** In run-once, reading from the Analyser's own server has no limit. */
  time: ReadingTime;
  /**
   * Tells whether a file that stands in the listing of a shared folder is data. The address has to be canonical.
   */
  wants: (url: string) => boolean;
  /** Gives new addresses an order that a stranger cannot choose. */
  orderOf: (url: string) => string;
  onFiles?: OnFiles | undefined;
  signal: AbortSignal;
}

/** One file to read, here or through a worker. The keys are those shared for the file itself. */
export interface FileToRead extends SharedKeys {
  url: string;
  owner: Owner;
  /** The shared folder whose keys may open the file; null if there is none. */
  folder: FolderWithKeys | null;
  /** Whether an entry of the inbox names it. */
  isNamed: boolean;
  /** Whether it was read in an earlier analysis. */
  isKnown: boolean;
}

/** How the files of one server may be asked for. */
export interface AskingRules extends Deadline {
  /** How many files at once. */
  atOnce: number;
}

/** What a file gave; written into its row. */
export interface FileReading {
  outcome: Outcome;
  openTo: OpenTo;
  /** Null for a file that does not count. */
  sums: PodAggregate | null;
  /** The readings behind the figures, if the Pod's chart is drawn; else empty. */
  readings: readonly Reading[];
}

/** Reads files, here or through a worker. */
export interface PartReader {
  /** How many files go into one part when there are `files` in all. */
  filesPerPart(files: number): number;
  /** In the order of the files; those that were not asked for can be absent. */
  readPart(files: readonly FileToRead[], asking: AskingRules): Promise<FileReading[]>;
}

/** Whether a result is made for the WebID. */
export function isServed(callers: Callers, webId: string): boolean {
  return callers === null || callers.includes(webId);
}

/** Each WebID once; null, as for run-once, if one of them is null. */
export function distinctCallers(webIds: readonly (string | null)[]): Callers {
  if (webIds.includes(null)) return null;
  return [...new Set(webIds.flatMap((webId) => webId ?? []))];
}
