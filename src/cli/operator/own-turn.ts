import type { Logger } from '../../base/logger.js';
import type { Config } from '../../config/schema.js';
import { reportWithoutResult } from '../../queue/analysis-report.js';
import type { QueueLimits, RunTurn } from '../../queue/turn.js';
import { acquireAnalysisLock } from '../../store/analysis-lock.js';
import type { Joined } from '../../thread/join-others.js';

/** What the operator does is never refused for a limit. */
export const unlimited: QueueLimits = {
  callersPerTurn: 1,
  all: Infinity,
  perCaller: Infinity,
  perPeer: Infinity,
};

/** Does something in a turn of its own, in which no process of this Analyser runs an analysis. */
export async function inOwnTurn(
  { createQueue }: Pick<Joined, 'createQueue'>,
  { config, log }: { config: Pick<Config, 'output'>; log: Logger },
  work: () => Promise<void>,
): Promise<void> {
  let settle = (message: string): void => {
    throw new Error(message);
  };
  const runTurn: RunTurn = async (newTurn) => {
    const turn = newTurn.giveRunIds([]);
    const lock = await acquireAnalysisLock(config.output.state_dir, {
      signal: turn.signal,
      onWait: () => log.info('Another process runs an analysis; waiting for its end.'),
    });
    try {
      await turn.commit();
      await work();
      settle = () => {};
      for (const { id } of turn.calls) turn.answer(id, reportWithoutResult('COMPLETED', ''));
    } catch (error) {
      settle = () => {
        throw error;
      };
      throw error;
    } finally {
      await lock.release();
    }
  };
  const queue = createQueue(unlimited, runTurn);
  const { message } = await queue.enqueue(
    { webId: null, caller: null, peer: '' },
    new AbortController().signal,
  );
  settle(message);
}
