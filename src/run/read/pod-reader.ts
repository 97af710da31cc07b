import type { AnalysisRules } from '../../analysis/pod-aggregate.js';
import type { OpenValues } from '../../pod/inbox/entry-opener.js';
import type { Connection } from '../connection.js';
import type { SharedPod, Shares } from '../discover/shared-files.js';
import { isCaller, isRecipient, type Recipients } from '../recipients.js';
import type { CircuitBreaker } from './circuit-breaker.js';
import { type PodResult, podResult } from './pod-result.js';
import { readParts } from './read-parts.js';
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

/** Who does the reading: this process, or many. Nothing after step 4 knows which. */
export interface PodReader {
  /** Opens values of an inbox when there are many of them; null leaves it to this process. */
  readonly openValues: OpenValues | null;
  /** Step 4: one result for each Pod, in their order. */
  readPods(connection: Connection, shares: Shares, task: ReadTask): Promise<PodResult[]>;
}

export const thisProcess: PodReader = {
  openValues: null,

  async readPods({ client }, shares, { rules, recipients, breaker, onPod, signal }) {
    const parts = await readParts(shares.pods, {
      readFile: createFileReader(client, shares, breaker),
      rules,
      isDrawn: ({ webId }) => isRecipient(recipients, webId),
      isCaller: ({ webId }) => isCaller(recipients, webId),
      onPart: onPod,
      breaker,
      signal,
    });
    const resultOf = ({ owner }: SharedPod, position: number) => {
      const part = parts[position];
      return podResult(owner, part === undefined ? [] : [part], rules);
    };
    return shares.pods.map(resultOf);
  },
};
