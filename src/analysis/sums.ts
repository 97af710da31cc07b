import { present } from '../base/lists.js';
import { isWithin, type StudyPeriod } from '../base/study-period.js';
import { DAY_MS } from '../base/utc-time.js';
import {
  byMeasure,
  isPlausible,
  type MeasureName,
  momentOf,
  type Reading,
  type ReadingTime,
} from './reading.js';

/** Values are counted in hundredths, because whole numbers add up exactly in any order. */
const PER_UNIT = 100;

/** Of one measure, in a file or a Pod. In hundredths, except the count; the squares are squares of hundredths. */
export interface MeasureSums {
  count: number;
  sum: number;
  squares: number;
  minimum: number;
  maximum: number;
}

export function sumsOf(values: Iterable<number>): MeasureSums | null {
  let [count, sum, squares] = [0, 0, 0];
  let [minimum, maximum] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    const hundredths = Math.round(value * PER_UNIT);
    count += 1;
    sum += hundredths;
    squares += hundredths ** 2;
    minimum = Math.min(minimum, hundredths);
    maximum = Math.max(maximum, hundredths);
  }
  return count === 0 ? null : { count, sum, squares, minimum, maximum };
}

export function addSums(all: readonly (MeasureSums | null)[]): MeasureSums | null {
  return all.reduce((one, other) => {
    if (one === null || other === null) return one ?? other;
    return {
      count: one.count + other.count,
      sum: one.sum + other.sum,
      squares: one.squares + other.squares,
      minimum: Math.min(one.minimum, other.minimum),
      maximum: Math.max(one.maximum, other.maximum),
    };
  }, null);
}

/** What the cohort and the memory need of one measure. */
export type SumAndCount = Pick<MeasureSums, 'sum' | 'count'>;

/** The average, not rounded, because other figures are computed from it; null if there are no values. */
export function averageOf({ sum, count }: SumAndCount): number | null {
  return count === 0 ? null : sum / count / PER_UNIT;
}

/** Figures are rounded once, before they are sent: more digits would tell which readings were added up. */
export function rounded(figure: number | null): number | null {
  return figure === null ? null : Math.round(figure * PER_UNIT) / PER_UNIT;
}

/** The rounded figures; the standard deviation is that of a population, not of a sample. */
export function summariseMeasure(sums: MeasureSums | null) {
  return {
    average: sums && rounded(averageOf(sums)),
    minimum: sums && sums.minimum / PER_UNIT,
    maximum: sums && sums.maximum / PER_UNIT,
    standard_deviation: sums && rounded(deviationOf(sums)),
    count: sums?.count ?? 0,
  };
}

function deviationOf({ count, sum, squares }: MeasureSums): number {
  const [n, total] = [BigInt(count), BigInt(sum)];
  const scaled = Number(n * BigInt(squares) - total * total);
  return Math.sqrt(scaled) / count / PER_UNIT;
}

export interface AnalysisRules {
  /** Milliseconds since the epoch. */
  now: number;
  /** Null if readings of any age count. */
  windowDays: number | null;
  /** If there is a window too, only readings within both count. */
  period: StudyPeriod | null;
}

/** Of a file, and then of a Pod: all that its own result says. */
export interface ReadingSums {
  count: number;
  /** The times of the first and the last reading; null if no reading has a known time. */
  first: ReadingTime | null;
  last: ReadingTime | null;
  measures: Record<MeasureName, MeasureSums | null>;
  leftOut: {
    /** Without systolic or diastolic. */
    incomplete: number;
    implausible: number;
    undated: number;
    /** Outside of the window or of the period. */
    outsideWindow: number;
  };
}

/** Sums the readings that count, and returns these too: the chart draws them. */
export function sumReadings(
  found: { readings: readonly Reading[]; incomplete: number },
  rules: AnalysisRules,
): { sums: ReadingSums; readings: Reading[] } {
  const plausible = found.readings.filter(isPlausible);
  const isOfAnyTime = rules.windowDays === null && rules.period === null;
  const dated = isOfAnyTime ? plausible : plausible.filter(({ time }) => time !== null);
  const isInPeriod = periodTest(rules.period);
  const readings = dated.filter((one) => isInWindow(one.time, rules) && isInPeriod(one));
  return {
    readings,
    sums: {
      count: readings.length,
      ...span(readings),
      measures: byMeasure((name) => sumsOf(present(readings.map((reading) => reading[name])))),
      leftOut: {
        incomplete: found.incomplete,
        implausible: found.readings.length - plausible.length,
        undated: plausible.length - dated.length,
        outsideWindow: dated.length - readings.length,
      },
    },
  };
}

export function addReadingSums(all: readonly ReadingSums[]): ReadingSums {
  const total = (count: (one: ReadingSums) => number) =>
    all.reduce((sum, one) => sum + count(one), 0);
  return {
    count: total(({ count }) => count),
    ...span(present(all.flatMap(({ first, last }) => [first, last]))),
    measures: byMeasure((name) => addSums(all.map(({ measures }) => measures[name]))),
    leftOut: {
      incomplete: total(({ leftOut }) => leftOut.incomplete),
      implausible: total(({ leftOut }) => leftOut.implausible),
      undated: total(({ leftOut }) => leftOut.undated),
      outsideWindow: total(({ leftOut }) => leftOut.outsideWindow),
    },
  };
}

/** The window takes in a day ahead of `now`: a time without an offset is taken as UTC, and can seem 14 hours ahead. */
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

/** Of a Pod, for the cohort and the memory. */
export interface CountedSums {
  observation_count: number;
  measures: Record<MeasureName, SumAndCount>;
}

export function countedSums({ count: observation_count, measures }: ReadingSums): CountedSums {
  return {
    observation_count,
    measures: byMeasure((name) => {
      const { sum = 0, count = 0 } = measures[name] ?? {};
      return { sum, count };
    }),
  };
}
