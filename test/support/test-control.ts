import { type AnalysisReport, type StopReason, stopError } from '../../src/run/analysis-report.js';
import type { NewTurn } from '../../src/service/queue-types.js';

/** The queue of one single call, as far as an analysis sees it; the test stops it when it likes. */
export class TestControl {
  readonly #stop = new AbortController();
  /** Empty until the run has its id. */
  runId = '';
  committed = false;
  /** What happens just before the last checkpoint. */
  onCommit: () => void = () => undefined;
  report: AnalysisReport | null = null;

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Whether it will stop: not past the last checkpoint. */
  stop(reason: StopReason): boolean {
    if (this.committed) return false;
    this.#stop.abort(stopError(reason));
    return true;
  }

  turnOf(webId: string | null): NewTurn {
    const { signal } = this;
    return {
      size: 1,
      signal,
      stopAll: (error) => {
        if (!this.committed) this.#stop.abort(error);
      },
      giveRunIds: ([runId = '']) => {
        this.runId = runId;
        return {
          calls: [{ id: 'call', webId, runId }],
          signal,
          commit: () => {
            this.onCommit();
            signal.throwIfAborted();
            this.committed = true;
            return Promise.resolve(new Set(['call']));
          },
          answer: (_, report) => {
            this.report = report;
          },
        };
      },
    };
  }
}
