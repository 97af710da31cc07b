import { fromWireError } from '../base/wire-error.js';
import type { AnalysisReport } from '../queue/analysis-report.js';
import type { NamedCall, NamedTurn } from '../run/named-turn.js';
import type { News, Order } from './messages.js';

/** A turn whose calls are known to the main thread: it says who was stopped and who goes on. */
export class RemoteTurn implements NamedTurn {
  readonly #stop = new AbortController();
  #onCommit: ((goingOn: ReadonlySet<string>) => void) | null = null;

  constructor(
    readonly id: string,
    readonly calls: readonly NamedCall[],
    private readonly post: (news: News) => void,
  ) {}

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  async commit(): Promise<ReadonlySet<string>> {
    this.signal.throwIfAborted();
    return await new Promise((resolve, reject) => {
      this.#onCommit = resolve;
      this.signal.addEventListener('abort', () => {
        const reason: unknown = this.signal.reason;
        reject(reason);
      });
      this.post({ kind: 'commit', turn: this.id });
    });
  }

  answer(call: string, report: AnalysisReport): void {
    this.post({ kind: 'answer', turn: this.id, call, report });
  }

  onFiles(read: number, all: number): void {
    this.post({ kind: 'files', turn: this.id, read, all });
  }

  hear(order: Extract<Order, { kind: 'stop' | 'committed' | 'refused' }>): void {
    if (order.kind === 'committed') this.#onCommit?.(new Set(order.goingOn));
    else this.#stop.abort(fromWireError(order.error));
  }
}
