import { AnalyserError } from '../base/errors.js';

export type StopReason = 'cancel' | 'caller gone' | 'shutdown' | 'timeout';

const sentences: Record<StopReason, string> = {
  cancel: 'The analysis was cancelled.',
  'caller gone': 'The caller hung up, so the analysis was cancelled.',
  shutdown: 'The service is shutting down, so the analysis was cancelled.',
  timeout: 'The analysis took too long and was abandoned.',
};

/**
 * The one way to stop a run, and the one place where a run looks whether it was stopped.
 * Until `commit` a stop aborts what is in flight; after it the run is bound to finish,
 * so that nothing is left half published.
 */
export class RunControl {
  readonly #controller = new AbortController();
  #committed = false;

  /** Empty until the run has an id, so that a Cancel can name the run it stopped. */
  runId = '';

  /** Aborts everything in flight before the last checkpoint; never fires after it. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get committed(): boolean {
    return this.#committed;
  }

  /** Answers whether the run will stop: false once it has passed its last checkpoint. */
  stop(reason: StopReason): boolean {
    if (this.#committed) return false;
    this.#controller.abort(
      new AnalyserError(reason === 'timeout' ? 'timeout' : 'cancelled', sentences[reason]),
    );
    return true;
  }

  checkpoint(): void {
    this.signal.throwIfAborted();
  }

  /** The last checkpoint. */
  commit(): void {
    this.checkpoint();
    this.#committed = true;
  }
}
