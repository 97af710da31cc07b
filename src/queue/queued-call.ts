import { randomUUID } from 'node:crypto';
import { type AnalysisReport, reportOfFailure } from './analysis-report.js';
import type { NewCall } from './turn.js';

/** One call from its arrival to its answer. */
export class QueuedCall {
  readonly answered: Promise<AnalysisReport>;
  state: 'waiting' | 'running' | 'stopped' | 'committed' | 'answered' = 'waiting';
  runId = '';
  /** What its caller will be told, once that is known. */
  report: AnalysisReport | null = null;
  #resolve: (report: AnalysisReport) => void = () => undefined;

  constructor(
    readonly call: NewCall,
    readonly id: string = randomUUID(),
  ) {
    this.answered = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Does nothing the second time, when another process takes the call over. */
  begin(): void {
    if (this.state !== 'waiting') return;
    this.state = 'running';
    this.call.onTurn?.();
  }

  answer(report: AnalysisReport): void {
    this.state = 'answered';
    this.#resolve(report);
  }

  answerFailure(error: unknown): void {
    this.answer(reportOfFailure(error, this.runId));
  }
}
