import type { RunControl } from '../cycle/run-control.js';

interface Entry {
  caller: string;
  control: RunControl;
  begin: () => void;
}

/** One analysis at a time, in order of arrival. The first of the line is the one running. */
export class Turns {
  readonly #line: Entry[] = [];
  readonly #maxInHand: number;
  #closed = false;
  #onEmpty: Array<() => void> = [];

  constructor(maxInHand: number) {
    this.#maxInHand = maxInHand;
  }

  /** Running and waiting; what is beyond grpc.max_workers is held back and not counted. */
  get inHand(): number {
    return Math.min(this.#line.length, this.#maxInHand);
  }

  /** Runs `work` when its turn comes; throws at once when `control` is stopped before that. */
  async take<T>(caller: string, control: RunControl, work: () => Promise<T>): Promise<T> {
    if (this.#closed) control.stop('shutdown');
    control.checkpoint();
    const entry: Entry = { caller, control, begin: () => undefined };
    this.#line.push(entry);
    try {
      if (this.#line[0] !== entry) await waitForTurn(entry);
      return await work();
    } finally {
      this.#leave(entry);
    }
  }

  /** Stops every analysis of the caller and answers which of them will stop. */
  cancel(caller: string): Array<{ runId: string; stopped: boolean }> {
    return this.#line
      .filter((entry) => entry.caller === caller)
      .map(({ control }) => ({ stopped: control.stop('cancel'), runId: control.runId }));
  }

  /** From now on nobody gets a turn; the one who has it keeps it. */
  close(): void {
    this.#closed = true;
    for (const { control } of this.#line.slice(1)) control.stop('shutdown');
  }

  stopRunning(): void {
    this.#line[0]?.control.stop('shutdown');
  }

  async whenEmpty(): Promise<void> {
    if (this.#line.length === 0) return;
    await new Promise<void>((resolve) => this.#onEmpty.push(resolve));
  }

  #leave(entry: Entry): void {
    const position = this.#line.indexOf(entry);
    this.#line.splice(position, 1);
    if (position === 0) this.#line[0]?.begin();
    if (this.#line.length > 0) return;
    for (const resolve of this.#onEmpty.splice(0)) resolve();
  }
}

function waitForTurn(entry: Entry): Promise<void> {
  const { signal } = entry.control;
  return new Promise((resolve, reject) => {
    const stopped = () => {
      const reason: unknown = signal.reason;
      reject(reason);
    };
    signal.addEventListener('abort', stopped, { once: true });
    entry.begin = () => {
      signal.removeEventListener('abort', stopped);
      resolve();
    };
  });
}
