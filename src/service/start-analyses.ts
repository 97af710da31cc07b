import { varFolders } from '../run/folders-of-config.js';
import { openResultsStore } from '../store/results-store.js';
import { AnalysisQueue, type QueueLimits } from './analysis-queue.js';
import { AnalysisThread, type AnalysisThreadOptions } from './analysis-thread.js';
import type { ThreadData } from './between-threads.js';
import { performTurn } from './perform-turn.js';

type AnalysesOptions = Pick<AnalysisThreadOptions, 'data' | 'env' | 'log' | 'observe'>;

/** One analysis serves so many calls at most. */
const CALLS_PER_TURN = 64;
/** The most calls of one WebID, where callers prove who they are. */
const CALLS_PER_WEB_ID = 2;

export async function startAnalyses({ data, env, log, observe }: AnalysesOptions) {
  const { output, grpc } = data.config;
  const thread = new AnalysisThread({ data, env, log, observe });
  const tools = {
    output: varFolders(data.config),
    timeoutSeconds: grpc.analysis_timeout_seconds,
    log,
    onDiskFailure: (error: unknown) => thread.failed(error),
  };
  const queue = new AnalysisQueue(queueLimits(grpc), (turn) =>
    performTurn(turn, tools, (onFiles) => thread.analyse(turn, onFiles)),
  );
  const latest = await openResultsStore(output.results_dir)
    .readLatest()
    .catch(() => null);
  if (latest?.state === 'found') {
    queue.lastRun = { id: latest.document.run_id, at: latest.document.generated_at };
  }
  await thread.start();
  return {
    queue,
    readiness: thread,
    stop: () => thread.shutDown(),
  };
}

export function queueLimits(grpc: ThreadData['config']['grpc']): QueueLimits {
  return {
    callsPerTurn: CALLS_PER_TURN,
    waiting: grpc.max_queued,
    perCaller: grpc.require_web_id_proof ? CALLS_PER_WEB_ID : Infinity,
  };
}
