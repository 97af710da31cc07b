import type { Logger } from '../base/logger.js';
import { failureSentence } from '../queue/failure-sentence.js';
import type { NamedTurn } from './named-turn.js';
import type { Connector, Readiness } from './readiness.js';

/** How to log in, and how to analyse with the connection; C is the type of the connection. */
export interface Engine<C> extends Connector<C> {
  /** Returns the errors that kept single callers from their results, and warnings for the log. */
  analyse(
    connection: C,
    turn: NamedTurn,
  ): Promise<{ errors: readonly unknown[]; notices?: readonly string[] }>;
}

/**
 * One analysis with the connection that the service holds. Answers the calls of the turn; throws why
 * none of them could be.
 */
export async function runAnalysis<C>(
  engine: Engine<C>,
  readiness: Readiness<C>,
  turn: NamedTurn,
  log: Logger,
): Promise<void> {
  let connection: C | null = null;
  try {
    connection = await readiness.obtain(turn.signal);
    const { errors, notices = [] } = await engine.analyse(connection, turn);
    for (const notice of notices) log.warn(notice);
    for (const error of errors) {
      log.error({ err: error }, 'A caller did not get everything.');
      await readiness.failed(error, connection);
    }
    if (errors.length === 0) readiness.worked();
  } catch (error) {
    if (turn.signal.aborted) {
      log.info({ reason: failureSentence(turn.signal.reason) }, 'An analysis was stopped.');
    } else {
      log.error({ err: error }, 'An analysis failed.');
      await readiness.failed(error, connection);
    }
    throw error;
  }
}
