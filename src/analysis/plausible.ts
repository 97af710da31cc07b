import { type MeasureName, measureNames, type Reading } from './reading.js';

/** The lowest and the highest plausible value of each measure, both inclusive. */
export type PlausibleLimits = Readonly<Record<MeasureName, readonly [number, number]>>;

/** One measure outside its limits rejects the whole reading: the rest may be mistyped as well. */
export function isPlausible(reading: Reading, limits: PlausibleLimits): boolean {
  return measureNames.every((name) => {
    const value = reading[name];
    const [lowest, highest] = limits[name];
    return value === null || (value >= lowest && value <= highest);
  });
}
