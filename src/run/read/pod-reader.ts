import type { AnalysisRules } from '../../analysis/pod-aggregate.js';
import type { SharedRecords } from '../../ledger/share-ledger.js';
import type { OpenValues } from '../../pod/inbox/entry-opener.js';
import type { SolidClient } from '../../solid/solid-client.js';
import type { Connection } from '../connection.js';
import type { SharedPod, Shares } from '../discover/shared-files.js';
import { isCaller, isRecipient, type Recipients } from '../recipients.js';
import type { CircuitBreaker } from './circuit-breaker.js';
import { type PodPart, type PodResult, podResult } from './pod-result.js';
import { type ReadPartsOptions, readParts } from './read-parts.js';
import { createFileReader } from './read-shared-file.js';

export interface ReadTask {
  rules: AnalysisRules;
  /** Whose charts are drawn. */
  recipients: Recipients;
  /** What is known of the storage server in this run. */
  breaker: CircuitBreaker;
  onPod?: ((done: number, all: number) => void) | undefined;
  signal: AbortSignal;
}

type PartsTask = Omit<ReadTask, 'onPod'> & Pick<ReadPartsOptions, 'onPart' | 'filesAtOnce'>;

/** Who does the reading: this process, or many. Nothing after step 4 knows which. */
export interface PodReader {
  /** Opens values of an inbox when there are many of them; null leaves it to this process. */
  readonly openValues: OpenValues | null;
  /** Where the journals of several machines meet; null: this one has the only one. */
  readonly sharedRecords: SharedRecords | null;
  /** Step 4: one result for each Pod, in their order. */
  readPods(connection: Connection, shares: Shares, task: ReadTask): Promise<PodResult[]>;
}

/** One part for each Pod given. */
export async function readPodParts(
  client: SolidClient,
  shares: Pick<Shares, 'pods' | 'folderKeys'>,
  { recipients, ...task }: PartsTask,
): Promise<PodPart[]> {
  return await readParts(shares.pods, {
    ...task,
    readFile: createFileReader(client, shares, task.breaker),
    isDrawn: ({ webId }) => isRecipient(recipients, webId),
    isCaller: ({ webId }) => isCaller(recipients, webId),
  });
}

export const thisProcess: PodReader = {
  openValues: null,
  sharedRecords: null,

  async readPods({ client }, shares, { onPod, ...task }) {
    const { rules } = task;
    const parts = await readPodParts(client, shares, { ...task, onPart: onPod });
    const resultOf = ({ owner }: SharedPod, position: number) => {
      const part = parts[position];
      return podResult(owner, part === undefined ? [] : [part], rules);
    };
    return shares.pods.map(resultOf);
  },
};
