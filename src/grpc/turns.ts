import {
  type Applicant,
  type Line,
  type LineLimits,
  type RecordedRun,
  refusals,
  TooMany,
  waitForTurn,
} from '../run/line.js';

interface Entry extends Applicant {
  begin: () => void;
}

/** The line of one process. Its first is the one running. */
export class Turns implements Line {
  readonly problem = '';
  lastRun: RecordedRun = { id: '', at: '' };
  readonly #line: Entry[] = [];
  #closed = false;
  #onEmpty: Array<() => void> = [];

  constructor(private readonly limits: LineLimits) {}

  get inHand(): number {
    return Math.min(this.#line.length, this.limits.inHand);
  }

  onChange(): void {
    // There is never a problem.
  }

  record(run: RecordedRun): Promise<void> {
    this.lastRun = run;
    return Promise.resolve();
  }

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

  cancel(caller: string): Promise<Array<{ runId: string; stopped: boolean }>> {
    const found = this.#line.filter((entry) => entry.caller === caller);
    return Promise.resolve(
      found.map(({ control }) => ({ stopped: control.stop('cancel'), runId: control.runId })),
    );
  }

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
    if (this.#line.length >= all) throw new TooMany(refusals.all);
    if (count((entry) => entry.caller === caller) >= perCaller) {
      throw new TooMany(refusals.perCaller);
    }
    if (count((entry) => entry.peer === peer) >= perPeer) throw new TooMany(refusals.perPeer);
  }

  #leave(entry: Entry): void {
    const position = this.#line.indexOf(entry);
    this.#line.splice(position, 1);
    if (position === 0) this.#line[0]?.begin();
    if (this.#line.length > 0) return;
    for (const resolve of this.#onEmpty.splice(0)) resolve();
  }
}
