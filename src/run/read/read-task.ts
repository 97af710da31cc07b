import type { HomeAverage } from '../../analysis/home.js';
import type { AnalysisRules } from '../../analysis/pod-aggregate.js';
import type { Reading } from '../../analysis/reading.js';
import type { PodSummary } from '../../analysis/summarise-pod.js';
import type { FileFate, FolderFate } from '../../memory/fate.js';
import type { Owner } from '../../pod/pod-of-resource.js';
import type { Callers } from '../canonical-callers.js';

/** A file or folder that an entry of the inbox or the memory names. */
export interface ShareToRead {
  /** Canonical; a folder's ends in a slash. */
  url: string;
  /** In the order to try them: the remembered one first. Anybody can have added wrong ones. */
  keys: readonly Buffer[];
  /** Keys of other Pods, tried last: what they open does not count, but it is known then. */
  foreignKeys: readonly Buffer[];
  /** Whether an entry of the inbox names it; unknown entries count as one. */
  hasEntry: boolean;
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
