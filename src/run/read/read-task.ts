import type { HomeAverage } from '../../analysis/home.js';
import type { AnalysisRules, PodAggregate } from '../../analysis/pod-aggregate.js';
import type { Reading } from '../../analysis/reading.js';
import type { PodSummary } from '../../analysis/summarise-pod.js';
import type { Fate, FileFate, FolderFate } from '../../memory/fate.js';
import { canonicalWebId } from '../../pod/addresses.js';
import type { FolderWithKeys, SharedKeys } from '../../pod/folder-keys.js';
import type { Owner } from '../../pod/pod-of-resource.js';
import type { OpenTo } from '../../pod/public-access.js';
import type { Skipped } from '../../pod/read-resource.js';

/** What step 4 is asked for, piece by piece, and what it answers. */

/** A file or folder that an entry of the inbox or the memory names. */
export interface ShareToRead {
  /** Canonical; a folder's ends in a slash. */
  url: string;
  /** In the order to try them: the remembered one first. Anybody can have added wrong ones. */
  keys: readonly Buffer[];
  /** Keys of other Pods, tried last: what they open does not count, but it is known then. */
  foreignKeys: readonly Buffer[];
  /** Whether an entry of the inbox names it; unknown entries count as one. */
  mayHaveEntry: boolean;
  isRemembered: boolean;
  /** The last analysis had no time for it. */
  wasNotAsked: boolean;
}

export interface PodToRead {
  owner: Owner;
  /** By address. */
  shares: readonly ShareToRead[];
}

/** Is told now and then how many of the shared files were read. */
export type OnFiles = (read: number, all: number) => void;

export interface ReadTask {
  rules: AnalysisRules;
  /** Canonical WebIDs whose Pods come first and whose charts are drawn; null for run-once. */
  callers: Callers;
  /** How long the analysis may still take. In run-once there is no limit at home. */
  timeoutMs: number;
  /** Whether a file that a shared folder lists is data; its address is canonical. */
  wants: (url: string) => boolean;
  onPod?: ((done: number, all: number) => void) | undefined;
  onFiles?: OnFiles | undefined;
  signal: AbortSignal;
}

/** One file of a slice. The keys are those shared for it alone. */
export interface FileToRead extends SharedKeys {
  url: string;
  listedIn: string | null;
  mayHaveEntry: boolean;
  /** Why it does not count even if it is handed over; null when it does. */
  objection: Skipped | null;
  /** Why it does not count unless it is encrypted; null when it does. */
  plainObjection: Skipped | null;
}

/** Some files of one Pod, which are read in one go, here or by a worker. */
export interface PodSlice {
  owner: Owner;
  files: readonly FileToRead[];
  /** The shared folders that list them. */
  folders: ReadonlyMap<string, FolderWithKeys>;
}

/** How the files of a slice may be asked for. */
export interface AskingRules {
  /** When the time for it ends, in milliseconds since 1970. */
  until: number;
  /** When each file that gives no answer is asked for only once, likewise. */
  retriesUntil: number;
  /** How many files at once. */
  atOnce: number;
  /** Aborts with a TimeUpError when the time ends. */
  signal: AbortSignal;
}

export interface FileReading {
  fate: Fate;
  openTo: OpenTo;
  warning: string | null;
  /** It would count if the Analyser were allowed to read it and nothing else. */
  readOnlyWanted: boolean;
}

/** What was read of a slice. */
export interface SliceReading {
  /** In the order of the files. */
  files: readonly FileReading[];
  aggregate: PodAggregate;
  /** The readings behind the figures, if the Pod's chart is drawn; else empty. */
  readings: readonly Reading[];
  /** There were more than are drawn. */
  isThinned: boolean;
}

/** Reads slices in order, some files at once; `onRead` gets what was read of each, as it is done. */
export type ReadSlices = (
  slices: readonly PodSlice[],
  asking: AskingRules,
  onRead: (slice: PodSlice, reading: SliceReading) => void,
) => Promise<void>;

/** What was read of one Pod. */
export interface PodReading {
  owner: Owner;
  summary: PodSummary;
  /** The readings behind the figures, if the Pod's chart is drawn; else empty. */
  readings: Reading[];
  /** From these readings, so null where the chart is not drawn; also where none has a date. */
  home: HomeAverage | null;
  /** Every file that is shared, by itself or by a folder that lists it, by address. */
  files: FileFate[];
  folders: FolderFate[];
  filesRead: number;
  /** Shared files that do not count; not those that were taken back together with their entry. */
  filesSkipped: number;
  /** Files skipped because the Analyser may do more than read them. */
  readOnlyWanted: number;
  /** About skipped files, up to a useful number. */
  warnings: string[];
}

/** The WebIDs that called, canonical; null for run-once, which serves every contributor. */
export type Callers = readonly string[] | null;

/** Whether a result is made for the WebID. */
export function isServed(callers: Callers, webId: string): boolean {
  return callers === null || callers.includes(webId);
}

/** Whether the WebID itself called and waits for the outcome. */
export function isCaller(callers: Callers, webId: string): boolean {
  return callers !== null && callers.includes(webId);
}

/** Those that called, in whatever spelling; a null among them is run-once. */
export function canonicalCallers(webIds: readonly (string | null)[]): Callers {
  if (webIds.includes(null)) return null;
  return [...new Set(webIds.flatMap((webId) => canonicalWebId(webId ?? '') ?? []))];
}
