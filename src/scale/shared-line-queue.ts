import { randomUUID } from 'node:crypto';
import { AnalyserError } from '../base/errors.js';
import {
  type AnalysisQueue,
  type CancelledCall,
  type NewCall,
  QueueFullError,
  type RecordedRun,
  type RunTurn,
} from '../queue/analysis-queue.js';
import { type AnalysisReport, isRecorded, reportWithoutResult } from '../queue/analysis-report.js';
import { failureSentence } from '../queue/failure-sentence.js';
import { RunControl } from './run-control.js';
import type { SharedLine } from './shared-line.js';

/** The line over many processes as a queue that gives every call a turn of its own. */
export class SharedLineQueue implements AnalysisQueue {
  constructor(
    private readonly line: SharedLine,
    private readonly runTurn: RunTurn,
  ) {}

  get inHand(): number {
    return this.line.inHand;
  }

  get lastRun(): RecordedRun {
    return this.line.lastRun;
  }

  get problem(): string {
    return this.line.problem;
  }

  onChange(listener: () => void): void {
    this.line.onChange(listener);
  }

  async enqueue(call: NewCall, hungUp: AbortSignal): Promise<AnalysisReport> {
    const control = new RunControl();
    const hangUp = (): void => void control.stop('caller gone');
    hungUp.addEventListener('abort', hangUp, { once: true });
    if (hungUp.aborted) hangUp();
    const reports: AnalysisReport[] = [];
    let failure: unknown = null;
    try {
      const { webId, peer } = call;
      const work = () => this.#takeTurn(call, control, reports);
      await this.line.take({ caller: webId, peer, control }, work);
    } catch (error) {
      if (error instanceof QueueFullError) throw error;
      failure = error;
    } finally {
      hungUp.removeEventListener('abort', hangUp);
    }
    const [report] = reports;
    if (report === undefined || control.signal.aborted) return unanswered(control, failure);
    if (isRecorded(report)) {
      await this.line.record({ id: report.run_id, at: report.generated_at });
    }
    return report;
  }

  cancel(webId: string): Promise<CancelledCall[]> {
    return this.line.cancel(webId);
  }

  close(): void {
    this.line.close();
  }

  stopRunning(): void {
    this.line.stopRunning();
  }

  whenEmpty(): Promise<void> {
    return this.line.whenEmpty();
  }

  async #takeTurn(call: NewCall, control: RunControl, reports: AnalysisReport[]): Promise<void> {
    const id = randomUUID();
    const { webId, traceparent } = call;
    call.onTurn?.();
    await this.runTurn({
      calls: [{ id, webId, traceparent }],
      previousRunId: control.previousRunId,
      signal: control.signal,
      async commit() {
        await control.commit();
        return new Set([id]);
      },
      named(_id, runId) {
        control.runId = runId;
      },
      answer: (_id, report) => void reports.push(report),
    });
  }
}

function unanswered(control: RunControl, failure: unknown): AnalysisReport {
  const cause: unknown = control.signal.aborted ? control.signal.reason : failure;
  const isStopped = cause instanceof AnalyserError && cause.kind === 'cancelled';
  const status = isStopped ? 'CANCELLED' : 'FAILED';
  return reportWithoutResult(status, failureSentence(cause), control.runId);
}
