import { DAY_MS } from '../base/utc-time.js';
import { figuresOf } from './figures.js';
import { aggregateMeasure, type MeasureAggregate, mergeMeasures } from './measure-aggregate.js';
import type { ParsedReadings } from './parse-readings.js';
import { isPlausible, type MeasureName, type PlausibleLimits, type Reading } from './reading.js';

export interface AnalysisRules {
  /** Milliseconds since the epoch. */
  now: number;
  /** Null: all history counts. */
  windowDays: number | null;
  plausible: PlausibleLimits;
}

/** Sums over the readings of one Pod, or of some of its files. */
export interface PodAggregate {
  counted: number;
  /** Milliseconds since the epoch; null without a known time. */
  first: number | null;
  last: number | null;
  measures: Record<MeasureName, MeasureAggregate | null>;
  leftOut: {
    /** Entries without systolic or diastolic. */
    incomplete: number;
    implausible: number;
    undated: number;
    outsideWindow: number;
  };
}

/** `counted` are the readings behind the figures; the chart draws the same ones. */
export function aggregateReadings(
  { readings, incomplete }: { readings: readonly Reading[]; incomplete: number },
  rules: AnalysisRules,
): { aggregate: PodAggregate; counted: Reading[] } {
  const plausible = readings.filter((reading) => isPlausible(reading, rules.plausible));
  const dated = plausible.filter(({ time }) => rules.windowDays === null || time !== null);
  const counted = dated.filter(({ time }) => isInWindow(time, rules));
  return {
    counted,
    aggregate: {
      counted: counted.length,
      ...span(counted.map(({ time }) => time)),
      measures: figuresOf((name) =>
        aggregateMeasure(counted.flatMap((reading) => reading[name] ?? [])),
      ),
      leftOut: {
        incomplete,
        implausible: readings.length - plausible.length,
        undated: plausible.length - dated.length,
        outsideWindow: dated.length - counted.length,
      },
    },
  };
}

export function mergeAggregates(parts: readonly PodAggregate[]): PodAggregate {
  const total = (count: (part: PodAggregate) => number) =>
    parts.reduce((sum, part) => sum + count(part), 0);
  return {
    counted: total(({ counted }) => counted),
    ...span(parts.flatMap(({ first, last }) => [first, last])),
    measures: figuresOf((name) => mergeMeasures(parts.map(({ measures }) => measures[name]))),
    leftOut: {
      incomplete: total(({ leftOut }) => leftOut.incomplete),
      implausible: total(({ leftOut }) => leftOut.implausible),
      undated: total(({ leftOut }) => leftOut.undated),
      outsideWindow: total(({ leftOut }) => leftOut.outsideWindow),
    },
  };
}

/**
 * A time without an offset is read as UTC, so a reading made just now can seem up to 14 hours
 * ahead. Up to a day ahead therefore counts as recent; more than that is a wrong clock.
 */
function isInWindow(time: number | null, { now, windowDays }: AnalysisRules): boolean {
  if (windowDays === null) return true;
  return time !== null && time >= now - windowDays * DAY_MS && time <= now + DAY_MS;
}

function span(times: readonly (number | null)[]): Pick<PodAggregate, 'first' | 'last'> {
  const known = times.filter((time) => time !== null);
  if (known.length === 0) return { first: null, last: null };
  return {
    first: known.reduce((first, time) => Math.min(first, time)),
    last: known.reduce((last, time) => Math.max(last, time)),
  };
}

/** Readings of one Pod that are kept for its chart, which has no room for more. */
export const MOST_DRAWN = 10_000;
/** Readings of one slice, or of one file, held in memory before they are summed up. */
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
