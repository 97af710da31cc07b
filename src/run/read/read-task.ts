import type { AnalysisRules } from '../../analysis/sums.js';
import type { Memory } from '../../memory/memory.js';
import type { FolderWithKeys, SharedKeys } from '../../pod/folder-keys.js';
import type { Owner } from '../../pod/owner.js';
import type { PodAccess } from '../../pod/unlock-pod.js';
import type { Served } from '../assignment.js';
import type { FileOutcome, Pod } from '../table/row.js';
import type { AskingTime, Deadline } from './deadline.js';
import type { PodReading } from './pod-reading.js';

export type OnFiles = (read: number, all: number) => void;

export interface ReadTask {
  rules: AnalysisRules;
  served: Served;
  /** What is remembered, of Pods that are not asked as well: it takes the room that new files need. */
  memory: Pick<Memory, 'pods'>;
  time: AskingTime;
  /** How long another server than the Analyser's own is waited for at least, by its origin. */
  patienceOf: (origin: string) => number;
  /** Of a file in the listing of a shared folder. The address has to be canonical. */
  isData: (url: string) => boolean;
  /** Gives new addresses an order that a stranger cannot choose. */
  orderOf: (url: string) => string;
  onFiles?: OnFiles | undefined;
}

/** Step 4, in this process or through workers. No later step knows which. */
export interface PodReader {
  readShares(connection: PodAccess, pods: readonly Pod[], task: ReadTask): Promise<PodReading[]>;
}

/** One file to read, here or through a worker. The keys are those shared for the file itself. */
export interface FileToRead extends SharedKeys {
  url: string;
  owner: Owner;
  /** The shared folder whose keys may open the file if it says so; null if there is none. */
  folder: FolderWithKeys | null;
  /** Whether an entry of the inbox names it, or the folder that shares it. */
  isNamed: boolean;
  isKnown: boolean;
  /** Whether its Pod is served: only then are the readings themselves kept, for the chart and the home average. */
  isServed: boolean;
}

export interface Asking {
  deadline: Deadline;
  /** How long a request may be on the wire without an answer; undefined for as long as the client waits. */
  patienceMs?: number | undefined;
}

export interface AskingFiles extends Asking {
  atOnce: number;
  /**
   * Whether it is for the second time, after a refusal: then the status is asked for even if too much of the Pod has been
   * read, so that nobody's entries keep a withdrawal from being seen.
   */
  isAgain?: boolean | undefined;
}

export interface PartReader {
  /** How many go into one part when there are `files` in all. */
  filesPerPart(files: number): number;
  /** One outcome for each of the files, in their order. */
  readPart(files: readonly FileToRead[], asking: AskingFiles): Promise<FileOutcome[]>;
}
