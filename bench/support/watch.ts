import type { Row } from '../table.js';
import { quantile } from './statistics.js';

/** What has to hold during every benchmark: the event loop is free, Status and Cancel answer. */
export class Watch {
  readonly #blocks: { during: string; ms: number }[] = [];
  readonly #answers: number[] = [];

  blocked(during: string, ms: number): void {
    this.#blocks.push({ during, ms });
  }

  answered(milliseconds: readonly number[]): void {
    for (const ms of milliseconds) this.#answers.push(ms);
  }

  rows(): Row[] {
    if (this.#blocks.length === 0) return [];
    const worst = this.#blocks.reduce((one, other) => (other.ms > one.ms ? other : one));
    const block: Row = {
      what: 'longest block of the event loop during any of this',
      measured: worst.ms,
      unit: 'ms',
      target: { most: 50 },
      details: `during ${worst.during}, of ${this.#blocks.length} measured runs`,
    };
    if (this.#answers.length === 0) return [block];
    return [
      block,
      {
        what: 'Status and Cancel, p99, during any of this',
        measured: quantile(this.#answers, 0.99),
        unit: 'ms',
        target: { most: 20 },
        details: `median ${quantile(this.#answers, 0.5).toFixed(1)} ms, longest ${quantile(this.#answers, 1).toFixed(0)} ms, of ${this.#answers.length} calls`,
      },
    ];
  }
}
