import { isWithin, type StudyPeriod } from '../base/study-period.js';
import { DAY_MS } from '../base/utc-time.js';
import { figuresOf } from './figures.js';
import { addSums, type MeasureSums, sumsOf } from './measure-sums.js';
import { isPlausible, type MeasureName, momentOf, type Reading } from './reading.js';
import type { ReadingTime } from './reading-time.js';

export interface AnalysisRules {
  /** Milliseconds since the epoch. */
  now: number;
  /** Null if readings of any age count. */
  windowDays: number | null;
  /** If there is a window too, only readings within both count. */
  period: StudyPeriod | null;
}

/** Sums over the readings of a file, or of a whole Pod. */
export interface PodAggregate {
  counted: number;
  /** The times of the first and the last reading; null if no reading has a known time. */
  first: ReadingTime | null;
  last: ReadingTime | null;
  measures: Record<MeasureName, MeasureSums | null>;
  leftOut: {
    /** Entries without systolic or diastolic. */
    incomplete: number;
    implausible: number;
    undated: number;
    /** Outside of the window or of the period. */
    outsideWindow: number;
  };
}

/** `counted` are the readings behind the figures; the chart draws the same readings. */
export function aggregateReadings(
  { readings, incomplete }: { readings: readonly Reading[]; incomplete: number },
  rules: AnalysisRules,
): { aggregate: PodAggregate; counted: Reading[] } {
  const plausible = readings.filter(isPlausible);
  const isOfAnyTime = rules.windowDays === null && rules.period === null;
  const dated = isOfAnyTime ? plausible : plausible.filter(({ time }) => time !== null);
  const isInPeriod = periodTest(rules.period);
  const counted = dated.filter((one) => isInWindow(one.time, rules) && isInPeriod(one));
  return {
    counted,
    aggregate: {
      counted: counted.length,
      ...span(counted),
      measures: figuresOf((name) => sumsOf(counted.flatMap((reading) => reading[name] ?? []))),
      leftOut: {
        incomplete,
        implausible: readings.length - plausible.length,
        undated: plausible.length - dated.length,
        outsideWindow: dated.length - counted.length,
      },
    },
  };
}

export function mergeAggregates(aggregates: readonly PodAggregate[]): PodAggregate {
  const total = (count: (one: PodAggregate) => number) =>
    aggregates.reduce((sum, one) => sum + count(one), 0);
  return {
    counted: total(({ counted }) => counted),
    ...span(aggregates.flatMap(({ first, last }) => [first ?? [], last ?? []].flat())),
    measures: figuresOf((name) => addSums(aggregates.map(({ measures }) => measures[name]))),
    leftOut: {
      incomplete: total(({ leftOut }) => leftOut.incomplete),
      implausible: total(({ leftOut }) => leftOut.implausible),
      undated: total(({ leftOut }) => leftOut.undated),
      outsideWindow: total(({ leftOut }) => leftOut.outsideWindow),
    },
  };
}

/**
 * A reading up to a day ahead of `now` counts: a time without an offset is taken as UTC here, so a reading that was
 * made just now can seem up to 14 hours ahead. A reading further ahead comes from a wrong clock.
 */
function isInWindow(time: number | null, { now, windowDays }: AnalysisRules): boolean {
  if (windowDays === null) return true;
  return time !== null && time >= now - windowDays * DAY_MS && time <= now + DAY_MS;
}

function periodTest(period: StudyPeriod | null): (reading: Reading) => boolean {
  if (period === null) return () => true;
  const isIn = isWithin(period);
  return (reading) => {
    const moment = momentOf(reading);
    return moment !== null && isIn(moment);
  };
}

function span(times: readonly Pick<Reading, 'time' | 'offset'>[]) {
  let first: ReadingTime | null = null;
  let last: ReadingTime | null = null;
  for (const { time, offset } of times) {
    if (time === null) continue;
    const moment = { time, offset };
    if (first === null || time < first.time) first = moment;
    if (last === null || time > last.time) last = moment;
  }
  return { first, last };
}

/** At most this number of readings of one Pod is kept, because its chart has no room for more. */
export const MOST_DRAWN = 10_000;

/** The readings that are drawn, sorted by time; readings without a time come first, so they are dropped first. */
export function latestReadings(readings: readonly Reading[]): Reading[] {
  const order = ({ time }: Reading) => time ?? Number.MIN_SAFE_INTEGER;
  return readings.toSorted((one, other) => order(one) - order(other)).slice(-MOST_DRAWN);
}
