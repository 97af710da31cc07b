import { type MeasureName, measureNames, momentOf, type Reading } from '../analysis/reading.js';
import { parseTime } from '../analysis/reading-time.js';
import { isWithin } from '../base/study-period.js';
import type { PodAverageDocument } from '../documents/published-document.js';
import { usualLimits } from './plausible.js';

/**
 * Says why the figures of a result cannot include a reading; null if they can. The result does not name its readings.
 * But it gives the study period, the times of the first and the last reading, and the lowest and the highest value of
 * each measure. A reason that follows from these is always true. A reading without a reason may still be left out, for
 * example because it was never shared.
 */
export function reasonsLeftOut(result: PodAverageDocument): (reading: Reading) => string | null {
  const { period, pod } = result;
  const isIn = period === undefined ? () => true : isWithin(period);
  const first = parseTime(pod.first_observation)?.time ?? Number.NEGATIVE_INFINITY;
  const last = parseTime(pod.last_observation)?.time ?? Number.POSITIVE_INFINITY;
  return (reading) => {
    const { time } = reading;
    const moment = momentOf(reading);
    if (period !== undefined && moment === null) return 'no known time';
    if (moment !== null && !isIn(moment)) return 'outside the study period';
    const outside = measureNames.filter((name) => !isAmong(reading[name], pod.measures[name]));
    // The result does not show the service's own limits. So a reading is called not plausible only if two things are
    // true: one of its values is beyond the usual limits, and the result shows that this value does not count.
    if (outside.some((name) => !isUsual(name, reading[name]))) return 'not plausible';
    if (time !== null && time < first) return 'before the first reading that counts';
    if (time !== null && time > last) return 'after the last reading that counts';
    const [name] = outside;
    return name === undefined ? null : describeOutside(name, reading[name], pod.measures[name]);
  };
}

function describeOutside(name: MeasureName, value: number | null, { maximum }: Range): string {
  const measure = name.replace('_', ' ');
  if (value === null || maximum === null) return `none with a ${measure} counts`;
  return `${measure} ${value > maximum ? 'above' : 'below'} all that count`;
}

interface Range {
  minimum: number | null;
  maximum: number | null;
}

/** Compares the value in hundredths, because the service counts in hundredths. */
function isAmong(value: number | null, { minimum, maximum }: Range): boolean {
  if (value === null) return true;
  const rounded = Math.round(value * 100) / 100;
  return minimum !== null && maximum !== null && rounded >= minimum && rounded <= maximum;
}

function isUsual(name: MeasureName, value: number | null): boolean {
  const [lowest, highest] = usualLimits[name];
  return value === null || (value >= lowest && value <= highest);
}
