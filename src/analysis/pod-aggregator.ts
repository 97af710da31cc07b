import type { ParsedReadings } from './parse-readings.js';
import {
  type AnalysisRules,
  aggregateReadings,
  mergeAggregates,
  type PodAggregate,
} from './pod-aggregate.js';
import type { Reading } from './reading.js';

/** Readings of one Pod that are kept for its chart, which has no room for more. */
export const MOST_DRAWN = 10_000;
/** Readings of one Pod held in memory before they are summed up. */
const MOST_HELD = 8_192;

/** Sums up the readings of some files of a Pod as they come in, so that few of them are ever held. */
export class PodAggregator {
  #held: Reading[] = [];
  #incomplete = 0;
  readonly #parts: PodAggregate[] = [];
  #drawn: Reading[] = [];
  #isThinned = false;

  /** `keepsReadings`: those behind the figures are wanted, to draw them. */
  constructor(private readonly options: { rules: AnalysisRules; keepsReadings: boolean }) {}

  add({ readings, incomplete }: ParsedReadings): void {
    this.#incomplete += incomplete;
    for (const reading of readings) this.#held.push(reading);
    if (this.#held.length >= MOST_HELD) this.#sumUp();
  }

  /** `readings` are the latest, by time; `isThinned` says that there were more. */
  end(): { aggregate: PodAggregate; readings: Reading[]; isThinned: boolean } {
    this.#sumUp();
    const readings = latestReadings(this.#drawn);
    const isThinned = this.#isThinned || readings.length < this.#drawn.length;
    return { aggregate: mergeAggregates(this.#parts), readings, isThinned };
  }

  #sumUp(): void {
    const held = { readings: this.#held, incomplete: this.#incomplete };
    const { aggregate, counted } = aggregateReadings(held, this.options.rules);
    this.#parts.push(aggregate);
    this.#held = [];
    this.#incomplete = 0;
    if (!this.options.keepsReadings) return;
    for (const reading of counted) this.#drawn.push(reading);
    if (this.#drawn.length < 2 * MOST_DRAWN) return;
    this.#drawn = latestReadings(this.#drawn);
    this.#isThinned = true;
  }
}

/** As many as are drawn, by time; those without a time come first. */
export function latestReadings(readings: readonly Reading[]): Reading[] {
  const order = ({ time }: Reading) => time ?? Number.MIN_SAFE_INTEGER;
  return readings.toSorted((one, other) => order(one) - order(other)).slice(-MOST_DRAWN);
}
