import type { AnalysisRules } from '../../analysis/pod-aggregate.js';
import { mapConcurrently } from '../../base/map-concurrently.js';
import type { SharedRecords } from '../../ledger/share-ledger.js';
import type { OpenValues } from '../../pod/inbox/entry-opener.js';
import type { SolidClient } from '../../solid/solid-client.js';
import type { Connection } from '../connection.js';
import type { SharedFile, SharedPod, Shares } from '../discover/shared-files.js';
import type { Recipients } from '../recipients.js';
import { byServer } from './by-server.js';
import type { CircuitBreaker } from './circuit-breaker.js';
import { PodBeingRead } from './pod-being-read.js';
import { type PodPart, type PodResult, podResult } from './pod-result.js';
import { createFileReader } from './read-shared-file.js';

export interface ReadTask {
  rules: AnalysisRules;
  /** Whose charts are drawn. */
  recipients: Recipients;
  /** What this analysis has found out about the servers. */
  breaker: CircuitBreaker;
  onPod?: ((done: number, all: number) => void) | undefined;
  /** Default: enough to keep the client busy. */
  filesAtOnce?: number;
  signal: AbortSignal;
}

/** More than the client ever has in flight, so that one slow Pod keeps no other waiting. */
const FILES_AT_ONCE = 64;

/** Reads the files, in this process or through workers. Nothing after step 4 knows which. */
export interface PodReader {
  /** Opens values of the inbox when there are many; null leaves it to this process. */
  readonly openValues: OpenValues | null;
  /** The records that the ledgers of several machines share; null for a single machine. */
  readonly sharedRecords: SharedRecords | null;
  /** Step 4: one result for each Pod, in their order. */
  readPods(connection: Connection, shares: Shares, task: ReadTask): Promise<PodResult[]>;
}

/** Reads every file, which counts as read or skipped; returns one part for each given Pod. */
export async function readPodParts(
  client: SolidClient,
  shares: Pick<Shares, 'pods' | 'folderKeys'>,
  task: ReadTask,
): Promise<PodPart[]> {
  const { breaker, filesAtOnce = FILES_AT_ONCE, onPod } = task;
  const { pods } = shares;
  const readFile = createFileReader(client, shares, breaker);
  const stop = new AbortController();
  const signal = AbortSignal.any([task.signal, stop.signal]);
  const parts: PodPart[] = [];
  let done = 0;
  const read = async ({ file, index, pod }: FileToRead, until: AbortSignal) => {
    try {
      await pod.read(file, index, readFile, until);
    } catch (error) {
      stop.abort(error);
      throw error;
    }
    if (!pod.isComplete) return;
    parts[pod.position] = pod.end();
    done += 1;
    onPod?.(done, pods.length);
  };
  const urlOf = ([, { owner }]: [number, SharedPod]) => owner.root;
  const othersUntil = breaker.othersUntil.files;
  await byServer(
    pods.entries(),
    { urlOf, breaker, othersUntil, atOnce: filesAtOnce, signal },
    (there, atOnce, until) =>
      mapConcurrently(filesOf(there, task), atOnce, (file) => read(file, until)),
  );
  return parts;
}

interface FileToRead {
  file: SharedFile;
  index: number;
  pod: PodBeingRead;
}

function* filesOf(
  pods: readonly (readonly [number, SharedPod])[],
  task: ReadTask,
): Generator<FileToRead> {
  for (const [position, shared] of pods) {
    const pod = new PodBeingRead(shared, position, task);
    for (const [index, file] of shared.files.entries()) yield { file, index, pod };
  }
}

export const localPodReader: PodReader = {
  openValues: null,
  sharedRecords: null,

  async readPods({ client }, shares, task) {
    const parts = await readPodParts(client, shares, task);
    return shares.pods.map(({ owner }, position) =>
      podResult(owner, parts.slice(position, position + 1), task.rules),
    );
  },
};
