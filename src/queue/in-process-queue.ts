import { AnalysisQueue } from './analysis-queue.js';
import { QueuedCall } from './queued-call.js';
import { RunningTurn } from './running-turn.js';
import { stopError } from './stop-reasons.js';
import type { CancelledCall, NewCall } from './turn.js';

/**
 * The queue of one process: calls take their turns in order of arrival, at most
 * `callersPerTurn` together. Its memory decides which calls were stopped and which have passed the
 * last checkpoint, so Cancel and the analysis are always told the same.
 */
export class InProcessQueue extends AnalysisQueue {
  get inHand(): number {
    return this.ownCalls.size;
  }

  cancel(webId: string): Promise<CancelledCall[]> {
    const found = [...this.ownCalls.values()].filter(({ call }) => call.webId === webId);
    const stop = (queued: QueuedCall) => this.stop(queued, stopError('cancel'));
    return Promise.resolve(found.map((queued) => ({ runId: queued.runId, stopped: stop(queued) })));
  }

  protected admit(call: NewCall): QueuedCall {
    this.requireRoom(
      call,
      [...this.ownCalls.values()].map((queued) => queued.call),
    );
    return new QueuedCall(call);
  }

  protected addToQueue(queued: QueuedCall): void {
    this.ownCalls.set(queued.id, queued);
    this.#startNext();
  }

  #startNext(): void {
    if (this.running !== null) return;
    const waiting = [...this.ownCalls.values()].filter(({ state }) => state === 'waiting');
    if (waiting.length === 0) return;
    this.running = new RunningTurn(waiting.slice(0, this.limits.callersPerTurn));
    void this.running.run(this.runTurn).then(() => {
      this.running = null;
      this.#startNext();
    });
  }
}
