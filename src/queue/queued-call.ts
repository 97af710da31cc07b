import { randomUUID } from 'node:crypto';
import { AnalyserError } from '../base/errors.js';
import type { NewCall } from './analysis-queue.js';
import { type AnalysisReport, reportWithoutResult } from './analysis-report.js';
import { failureSentence } from './failure-sentence.js';

/** One call from its arrival to its answer. */
export class QueuedCall {
  readonly answered: Promise<AnalysisReport>;
  state: 'waiting' | 'running' | 'stopped' | 'committed' | 'answered' = 'waiting';
  runId = '';
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

  /** CANCELLED when somebody stopped it; FAILED after a time limit or a lost turn. */
  answerStopped(reason: unknown): void {
    const isWanted = reason instanceof AnalyserError && reason.kind === 'cancelled';
    const status = isWanted ? 'CANCELLED' : 'FAILED';
    this.answer(reportWithoutResult(status, failureSentence(reason), this.runId));
  }
}
