import { type AnalysisReport, type StopReason, stopError } from '../../src/run/analysis-report.js';
import { Call, Turn } from '../../src/run/turn.js';

/** The queue of one single call, as far as an analysis sees it; the test stops it when it likes. */
export class TestControl {
  #call = new Call({});
  #turn = new Turn([this.#call]);
  #stopped: StopReason | null = null;
  /** What happens just before the last checkpoint. */
  onCommit: () => void = () => undefined;

  get signal(): AbortSignal {
    return this.#turn.signal;
  }

  /** Empty until the run has its id. */
  get runId(): string {
    return this.#call.runId;
  }

  get report(): AnalysisReport | null {
    return this.#turn.reports[0] ?? null;
  }

  /** Whether it will stop: not past the last checkpoint. */
  stop(reason: StopReason): boolean {
    this.#stopped = reason;
    return this.#turn.stop(this.#call, stopError(reason));
  }

  turnOf(webId: string | null): Turn {
    this.#call = new Call({ webId });
    this.#turn = new Turn([this.#call], () => {
      this.onCommit();
      return Promise.resolve(new Set([this.#call.id]));
    });
    if (this.#stopped !== null) this.stop(this.#stopped);
    return this.#turn;
  }
}
