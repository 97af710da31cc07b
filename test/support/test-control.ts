import type { AnalysisReport } from '../../src/run/analysis-report.js';
import { Call, type CancelReason, Turn } from '../../src/service/turn.js';

class WatchedTurn extends Turn {
  constructor(
    calls: readonly Call[],
    private readonly onCommit: () => void,
  ) {
    super(calls);
  }

  override async commit() {
    this.onCommit();
    return await super.commit();
  }
}

/** The queue of one single call, as far as an analysis sees it; the test cancels it when it likes. */
export class TestControl {
  #call = new Call(null);
  #turn = new Turn([this.#call]);
  #cancelled: CancelReason | null = null;
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
    const { state } = this.#call;
    return state.kind === 'answered' ? state.report : null;
  }

  /** Whether it is cancelled: not past the last checkpoint. */
  cancel(reason: CancelReason): boolean {
    this.#cancelled = reason;
    return this.#call.cancel(reason);
  }

  turnOf(webId: string | null): Turn {
    this.#call = new Call(webId);
    this.#turn = new WatchedTurn([this.#call], () => this.onCommit());
    if (this.#cancelled !== null) this.cancel(this.#cancelled);
    return this.#turn;
  }
}
