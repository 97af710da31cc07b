import { MINUTE_MS } from '../base/utc-time.js';

export const measureNames = ['systolic', 'diastolic', 'heart_rate'] as const;
export type MeasureName = (typeof measureNames)[number];

/** One number for each measure; null where no reading has the measure. */
export type Figures = Record<MeasureName, number | null>;

export function byMeasure<T>(value: (name: MeasureName) => T): Record<MeasureName, T> {
  return {
    systolic: value('systolic'),
    diastolic: value('diastolic'),
    heart_rate: value('heart_rate'),
  };
}

export function averagesOf(measures: Record<MeasureName, { average: number | null }>): Figures {
  return byMeasure((name) => measures[name].average);
}

export const units: Readonly<Record<MeasureName, string>> = {
  systolic: 'mm Hg',
  diastolic: 'mm Hg',
  heart_rate: 'bpm',
};

export interface Reading {
  /** Milliseconds since the epoch; null when no time is known. */
  time: number | null;
  /**
   * The minutes by which the clock of the reading is ahead of UTC. It is `unknown` if the reading has no offset, and
   * null if it has no time of day. In both cases `time` is the time on the clock, as if it were UTC.
   */
  offset: number | 'unknown' | null;
  systolic: number;
  diastolic: number;
  heart_rate: number | null;
}

export type ReadingTime = Pick<Reading, 'offset'> & { time: number };

/** The time on the clock of the reading, in milliseconds as if it were UTC; null if there is no time. */
export function wallClock({ time, offset }: Pick<Reading, 'time' | 'offset'>): number | null {
  if (time === null) return null;
  return typeof offset === 'number' ? time + offset * MINUTE_MS : time;
}

/** The time of the reading in the two forms that study-period.ts compares; null without a time. */
export function momentOf(reading: Pick<Reading, 'time' | 'offset'>) {
  const clock = wallClock(reading);
  if (clock === null) return null;
  return { time: typeof reading.offset === 'number' ? reading.time : null, clock };
}

/** The lowest and the highest value, both inclusive. */
export type PlausibleLimits = Readonly<Record<MeasureName, readonly [number, number]>>;

export const plausible: PlausibleLimits = {
  systolic: [40, 300],
  diastolic: [20, 200],
  heart_rate: [20, 250],
};

/** One measure beyond its limits rejects the whole reading, because the other measures may be mistyped as well. */
export function isPlausible(reading: Pick<Reading, MeasureName>): boolean {
  return measureNames.every((name) => {
    const value = reading[name];
    const [lowest, highest] = plausible[name];
    return value === null || (value >= lowest && value <= highest);
  });
}

/** At most this number of readings of one Pod is kept, because its chart has no room for more. */
export const MOST_DRAWN = 10_000;

/** The readings that are drawn, sorted by time; readings without a time come first, so they are dropped first. */
export function latestReadings(readings: readonly Reading[]): Reading[] {
  const order = ({ time }: Reading) => time ?? Number.MIN_SAFE_INTEGER;
  return readings.toSorted((one, other) => order(one) - order(other)).slice(-MOST_DRAWN);
}
