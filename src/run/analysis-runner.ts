import type { Logger } from '../base/logger.js';
import { failureSentence } from '../queue/failure-sentence.js';
import type { OwnAddresses } from '../queue/own-addresses.js';
import type { NamedTurn } from './named-turn.js';
import type { Observer } from './observer.js';
import { type Connector, type Pauses, Readiness, type ReadinessState } from './readiness.js';

/** How to log in, and how to analyse with the connection; C is the type of the connection. */
export interface Engine<C> extends Connector<C> {
  /** Returns the errors that kept single callers from their results, and warnings for the log. */
  analyse(
    connection: C,
    turn: NamedTurn,
  ): Promise<{ errors: readonly unknown[]; notices?: readonly string[] }>;
}

export interface AnalysisRunnerOptions {
  log: Logger;
  observer: Observer;
  own: OwnAddresses;
  onReadiness: (state: ReadinessState) => void;
  pauses?: Pauses;
}

/** Holds the connection and runs one analysis after the other with it. */
export class AnalysisRunner<C> {
  readonly readiness: Readiness<C>;
  readonly #engine: Engine<C>;
  readonly #options: AnalysisRunnerOptions;

  constructor(engine: Engine<C>, options: AnalysisRunnerOptions) {
    const { log, own, onReadiness, pauses } = options;
    this.#engine = engine;
    this.#options = options;
    this.readiness = new Readiness(engine, {
      log,
      own,
      onChange: onReadiness,
      ...(pauses && { pauses }),
    });
  }

  /** Answers the calls of the turn; throws why none of them could be. */
  async analyse(turn: NamedTurn): Promise<void> {
    const { observer } = this.#options;
    const [first] = turn.calls;
    await observer.within(first?.traceparent, () => this.#analyse(turn));
  }

  async #analyse(turn: NamedTurn): Promise<void> {
    const { log } = this.#options;
    let connection: C | null = null;
    try {
      connection = await this.readiness.obtain(turn.signal);
      const { errors, notices = [] } = await this.#engine.analyse(connection, turn);
      for (const notice of notices) log.warn(notice);
      for (const error of errors) {
        log.error({ err: error }, 'A caller did not get everything.');
        await this.readiness.failed(error, connection);
      }
      if (errors.length === 0) this.readiness.worked();
    } catch (error) {
      if (turn.signal.aborted) {
        log.info({ reason: failureSentence(turn.signal.reason) }, 'An analysis was stopped.');
      } else {
        log.error({ err: error }, 'An analysis failed.');
        await this.readiness.failed(error, connection);
      }
      throw error;
    }
  }
}
