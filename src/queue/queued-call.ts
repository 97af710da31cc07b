import { randomUUID } from 'node:crypto';
import type { NewCall } from './analysis-queue.js';
import type { AnalysisReport } from './analysis-report.js';

/** One call from its arrival to its answer. */
export class QueuedCall {
  readonly id = randomUUID();
  readonly answered: Promise<AnalysisReport>;
  state: 'waiting' | 'running' | 'stopped' | 'committed' | 'answered' = 'waiting';
  runId = '';
  #resolve: (report: AnalysisReport) => void = () => undefined;

  constructor(readonly call: NewCall) {
    this.answered = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  answer(report: AnalysisReport): void {
    this.state = 'answered';
    this.#resolve(report);
  }
}
