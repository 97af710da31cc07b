import { type Row, short } from '../table.js';
import { median, quantile } from './statistics.js';

/** What has to hold during every benchmark: the event loop is free, Status and Cancel answer. */
export class Watch {
  readonly #blocks: { during: string; ms: number }[] = [];
  readonly #answers = new Map<string, number[]>();
  readonly #ownBlocks: number[] = [];
  readonly #delays: number[] = [];

  /** Where the processes of a benchmark have not a core each, they wait for one. */
  constructor(
    private readonly during = 'any of this',
    private readonly haveCores = true,
  ) {}

  /** `own` is what is known of a whole service: without waits for a core, and the loop's p99. */
  blocked(
    during: string,
    ms: number,
    own?: { longestOwnBlockMs: number; delayP99Ms: number },
  ): void {
    this.#blocks.push({ during, ms });
    if (own === undefined) return;
    this.#ownBlocks.push(own.longestOwnBlockMs);
    this.#delays.push(own.delayP99Ms);
  }

  answered(during: string, milliseconds: readonly number[]): void {
    const answers = this.#answers.get(during) ?? [];
    for (const ms of milliseconds) answers.push(ms);
    this.#answers.set(during, answers);
  }

  #own(): string {
    if (this.#ownBlocks.length === 0) return '';
    return `; less the time that the thread waited for a core ${short(quantile(this.#ownBlocks, 1))} ms, and ${short(quantile(this.#ownBlocks, 0.99))} ms in 99 % of the runs`;
  }

  #slowest(): string {
    if (this.#answers.size < 2) return '';
    const p99s = [...this.#answers].map(([during, all]) => ({ during, ms: quantile(all, 0.99) }));
    const worst = p99s.reduce((one, other) => (other.ms > one.ms ? other : one));
    return `; the longest p99 of one kind ${short(worst.ms)} ms, during ${worst.during}`;
  }

  rows(): Row[] {
    if (this.#blocks.length === 0) return [];
    const worst = this.#blocks.reduce((one, other) => (other.ms > one.ms ? other : one));
    const block: Row = {
      what: `longest block of the event loop during ${this.during}`,
      measured: worst.ms,
      unit: 'ms',
      target: this.haveCores ? { most: 50 } : 'none',
      details: `during ${worst.during}, of ${this.#blocks.length} measured runs${this.#own()}`,
    };
    const answers = [...this.#answers.values()].flat();
    if (answers.length === 0) return [block];
    return [
      block,
      {
        what: `Status and Cancel, p99, during ${this.during}`,
        measured: quantile(answers, 0.99),
        unit: 'ms',
        target: this.haveCores ? { most: 20 } : 'none',
        details: `median ${quantile(answers, 0.5).toFixed(1)} ms, longest ${quantile(answers, 1).toFixed(0)} ms, of ${answers.length} calls; p99 of the event loop's delay ${short(median(this.#delays))} ms in the median run, ${short(quantile(this.#delays, 1))} ms in the worst${this.#slowest()}`,
      },
    ];
  }
}
