import { DAY_MS } from '../base/utc-time.js';
import { figuresOf } from './figures.js';
import { aggregateMeasure, type MeasureAggregate, mergeMeasures } from './measure-aggregate.js';
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
