import type { RunControl } from '../cycle/run-control.js';

export interface Applicant {
  caller: string;
  /** The network address. */
  peer: string;
  control: RunControl;
}

interface Entry extends Applicant {
  begin: () => void;
}

export interface TurnLimits {
  /** How many Status shows; what is beyond is held back, but takes its turn all the same. */
  inHand: number;
  /** Running and waiting, of everybody. */
  all: number;
  perCaller: number;
  perPeer: number;
}

/** Refused at once, so that those who wait are not pushed back by a flood. */
export class TooMany extends Error {}

/** One analysis at a time, in order of arrival. The first of the line is the one running. */
export class Turns {
  readonly #line: Entry[] = [];
  #closed = false;
  #onEmpty: Array<() => void> = [];

  constructor(private readonly limits: TurnLimits) {}

  /** Running and waiting; what is beyond grpc.max_workers is held back and not counted. */
  get inHand(): number {
    return Math.min(this.#line.length, this.limits.inHand);
  }

  /** Runs `work` when its turn comes; throws at once when there is none, or `control` is stopped. */
  async take<T>(applicant: Applicant, work: () => Promise<T>): Promise<T> {
    if (this.#closed) applicant.control.stop('shutdown');
    applicant.control.checkpoint();
    this.#admit(applicant);
    const entry: Entry = { ...applicant, begin: () => undefined };
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

  #admit({ caller, peer }: Applicant): void {
    const { all, perCaller, perPeer } = this.limits;
    const count = (isCounted: (entry: Entry) => boolean) => this.#line.filter(isCounted).length;
    if (this.#line.length >= all) {
      throw new TooMany('There are too many analyses waiting; try again later.');
    }
    if (count((entry) => entry.caller === caller) >= perCaller) {
      throw new TooMany('There are too many analyses in hand for this WebID; wait for one to end.');
    }
    if (count((entry) => entry.peer === peer) >= perPeer) {
      throw new TooMany(
        'There are too many analyses in hand for this network address; wait for one to end.',
      );
    }
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
