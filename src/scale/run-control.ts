import { type StopReason, stopError } from '../queue/stop-reasons.js';

/** Where others can see how far a run has come, when it is not known to this process alone. */
export interface RunMark {
  named(runId: string): void;
  /** False: somebody has stopped the run, and has been told so. */
  commit(): Promise<boolean>;
}

/**
 * The one way to stop a run, and the one place where a run looks whether it was stopped.
 * Until `commit` a stop aborts what is in flight; after it the run is bound to finish,
 * so that nothing is left half published.
 */
export class RunControl {
  readonly #controller = new AbortController();
  #committed = false;
  #mark: RunMark | null = null;
  #runId = '';

  /** Empty until the run has an id, so that a Cancel can name the run it stopped. */
  get runId(): string {
    return this.#runId;
  }

  set runId(runId: string) {
    this.#runId = runId;
    this.#mark?.named(runId);
  }

  /** Of the run before, by whichever process: two runs within a second stay apart. */
  previousRunId = '';

  /** From now on others can stop the run as well. */
  share(mark: RunMark): void {
    this.#mark = mark;
  }

  get isShared(): boolean {
    return this.#mark !== null;
  }

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
    this.#controller.abort(stopError(reason));
    return true;
  }

  checkpoint(): void {
    this.signal.throwIfAborted();
  }

  /** The last checkpoint. */
  async commit(): Promise<void> {
    this.checkpoint();
    // While the mark is being set, nobody is told that the run will stop.
    this.#committed = true;
    if (this.#mark === null) return;
    this.#committed = await this.#mark.commit().catch((error: unknown) => {
      this.#committed = false;
      throw error;
    });
    if (!this.#committed) this.stop('cancel');
    this.checkpoint();
  }
}
