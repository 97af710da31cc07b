import type { Config } from '../config/schema.js';
import type { OpeningThreads } from '../pod/inbox/opening-threads.js';
import type { OwnConnection } from '../run/connection.js';
import { breakerFor, type CircuitBreaker } from '../run/read/circuit-breaker.js';
import { readParts } from '../run/read/read-parts.js';
import { createFileReader } from '../run/read/read-shared-file.js';
import { isCaller, isRecipient } from '../run/recipients.js';
import type { Outcome, Task } from './work-messages.js';

/** What a worker has, once it is logged in and the Pod unlocked. */
export interface WorkerConnection extends OwnConnection {
  threads: OpeningThreads;
}

/** One task, done as one machine would have done it. */
export async function performTask(
  { client, threads }: WorkerConnection,
  task: Task,
  breaker: CircuitBreaker,
  signal: AbortSignal,
): Promise<Outcome> {
  if (task.kind === 'open') {
    return { kind: 'opened', values: await threads.open(task.values, signal) };
  }
  const folderKeys = new Map(
    task.pieces.flatMap((piece) => piece.folderKeys.map(({ url, keys }) => [url, keys] as const)),
  );
  const parts = await readParts(task.pieces, {
    readFile: createFileReader(client, { folderKeys }, breaker),
    rules: task.rules,
    isDrawn: ({ webId }) => isRecipient(task.recipients, webId),
    isCaller: ({ webId }) => isCaller(task.recipients, webId),
    breaker,
    signal,
  });
  return { kind: 'read', parts };
}

/** What one run has found out about the storage server holds for all its tasks. */
export class RunMemory {
  #run = '';
  #breaker: CircuitBreaker | null = null;

  breakerFor(
    { run, task }: { run: string; task: Task },
    config: Config,
    { pod }: WorkerConnection,
  ): CircuitBreaker {
    if (this.#breaker === null || this.#run !== run) {
      this.#run = run;
      const recipients = task.kind === 'read' ? task.recipients : null;
      this.#breaker = breakerFor(config, pod, recipients);
    }
    return this.#breaker;
  }
}
