import type { Logger } from '../base/logger.js';
import { canonicalWebId } from '../pod/addresses.js';
import type { QueueLimits, RunTurn } from '../queue/turn.js';
import type { Observer } from '../run/observer.js';
import { performTurn } from '../run/perform-turn.js';
import { openResultsStore } from '../store/results-store.js';
import { AnalysisThread } from './analysis-thread.js';
import type { ThreadData } from './between-threads.js';
import { alone, type CreateQueue } from './join-others.js';

export interface AnalysisServiceOptions {
  data: ThreadData;
  log: Logger;
  metrics?: Observer | null;
  /** Where callers line up, when it is not in this process alone. */
  createQueue?: CreateQueue;
}

/** Of one WebID, where callers prove who they are. */
const CALLS_PER_WEB_ID = 2;

/** What the doors open onto: the queue in this thread, and the thread that its turns go to. */
export async function startAnalysisService({
  data,
  log,
  metrics = null,
  createQueue = alone,
}: AnalysisServiceOptions) {
  const { output, grpc } = data.config;
  const thread = new AnalysisThread({ data, log, metrics });
  const tools = {
    output,
    timeoutSeconds: grpc.analysis_timeout_seconds,
    log,
    onDiskFailure: (error: unknown) => thread.failed(error),
  };
  const runTurn: RunTurn = (turn) =>
    performTurn(turn, tools, (named, onFiles) => thread.analyse(named, onFiles));
  // Status tells of it also after a restart.
  const lastRun = await openResultsStore(output.results_dir)
    .findLastRun()
    .catch((error: unknown) => {
      log.warn({ err: error }, 'The last run could not be read.');
      return null;
    });
  const queue = createQueue(queueLimits(grpc), runTurn, lastRun ?? undefined);
  await thread.start();
  return {
    queue,
    readiness: thread,
    identify: canonicalWebId,
    stop: () => thread.close(),
  };
}

export function queueLimits(grpc: ThreadData['config']['grpc']): QueueLimits {
  return {
    callersPerTurn: grpc.callers_per_turn,
    all: grpc.max_queued,
    perCaller: grpc.require_web_id_proof ? CALLS_PER_WEB_ID : Infinity,
    perPeer: grpc.max_calls_per_peer === 0 ? Infinity : grpc.max_calls_per_peer,
  };
}
