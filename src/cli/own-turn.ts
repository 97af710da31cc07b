import type { Logger } from '../base/logger.js';
import type { Config } from '../config/schema.js';
import { reportWithoutResult } from '../queue/analysis-report.js';
import type { QueueLimits, RunTurn } from '../queue/turn.js';
import { acquireAnalysisLock } from '../store/analysis-lock.js';
import type { Joined } from '../thread/join-others.js';

/** What the operator does is never refused for a limit. */
export const unlimited: QueueLimits = {
  callersPerTurn: 1,
  all: Infinity,
  perCaller: Infinity,
  perPeer: Infinity,
};

/** Does something in a turn of its own, in which no process of this Analyser runs an analysis. */
export async function inOwnTurn<T>(
  { createQueue }: Pick<Joined, 'createQueue'>,
  { config, log }: { config: Pick<Config, 'output'>; log: Logger },
  work: () => Promise<T>,
): Promise<T> {
  let result: { value: T } | null = null;
  let failure: unknown = null;
  const runTurn: RunTurn = async (turn) => {
    const lock = await acquireAnalysisLock(config.output.state_dir, {
      signal: turn.signal,
      onWait: () => log.info('Another process runs an analysis; waiting for its end.'),
    });
    try {
      await turn.commit();
      result = { value: await work() };
      for (const { id } of turn.calls) turn.answer(id, reportWithoutResult('COMPLETED', ''));
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      await lock.release();
    }
  };
  const queue = createQueue(unlimited, runTurn);
  const { message } = await queue.enqueue({ webId: null, peer: '' }, new AbortController().signal);
  return ended(result, failure ?? new Error(message));
}

function ended<T>(result: { value: T } | null, failure: unknown): T {
  if (result === null) throw failure;
  return result.value;
}
