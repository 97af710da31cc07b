import { figuresOf } from './figures.js';
import { aggregateMeasure, type MeasureAggregate, mergeMeasures } from './measure-aggregate.js';
import { isPlausible, type PlausibleLimits } from './plausible.js';
import type { MeasureName, Reading } from './reading.js';

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

const day = 24 * 60 * 60 * 1000;

/** `counted` are the readings behind the figures; the chart draws the same ones. */
export function aggregateReadings(
  { readings, incomplete }: { readings: readonly Reading[]; incomplete: number },
  rules: AnalysisRules,
): { aggregate: PodAggregate; counted: Reading[] } {
  const plausible = readings.filter((reading) => isPlausible(reading, rules.plausible));
  const dated = plausible.filter(({ time }) => rules.windowDays === null || time !== null);
  const counted = dated.filter(({ time }) => isInWindow(time, rules));
  const times = counted.map(({ time }) => time);
  return {
    counted,
    aggregate: {
      counted: counted.length,
      first: earliest(times),
      last: latest(times),
      measures: figuresOf((name) => aggregateMeasure(valuesOf(counted, name))),
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
  const [first, ...others] = parts;
  if (first !== undefined && others.length === 0) return first;
  const total = (count: (part: PodAggregate) => number) =>
    parts.reduce((sum, part) => sum + count(part), 0);
  return {
    counted: total(({ counted }) => counted),
    first: earliest(parts.map(({ first }) => first)),
    last: latest(parts.map(({ last }) => last)),
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
  return time !== null && time >= now - windowDays * day && time <= now + day;
}

function* valuesOf(readings: readonly Reading[], name: MeasureName): Generator<number> {
  for (const reading of readings) {
    const value = reading[name];
    if (value !== null) yield value;
  }
}

function earliest(times: readonly (number | null)[]): number | null {
  return times.reduce<number | null>(
    (first, time) => (time === null ? first : Math.min(first ?? time, time)),
    null,
  );
}

function latest(times: readonly (number | null)[]): number | null {
  return times.reduce<number | null>(
    (last, time) => (time === null ? last : Math.max(last ?? time, time)),
    null,
  );
}
