import { type MeasureName, measureNames, type Reading } from './reading.js';

/** Lowest and highest value of each measure that is believed, both inclusive. */
export type PlausibleLimits = Readonly<Record<MeasureName, readonly [number, number]>>;

/** One measure outside its limits is enough: a slip of the pen says nothing good about the rest. */
export function isPlausible(reading: Reading, limits: PlausibleLimits): boolean {
  return measureNames.every((name) => {
    const value = reading[name];
    const [lowest, highest] = limits[name];
    return value === null || (value >= lowest && value <= highest);
  });
}
