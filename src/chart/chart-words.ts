import type { Reading } from '../analysis/reading.js';
import { formatDay } from './calendar.js';

/** "30 readings, 19 Aug 2026 – 17 Sep 2026": how many there are, and the days they span. */
export function describeReadings(readings: readonly Reading[]): string {
  if (readings.length === 0) return 'No readings';
  const count = `${readings.length.toLocaleString('en')} reading${readings.length === 1 ? '' : 's'}`;
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  let undated = 0;
  for (const { time } of readings) {
    if (time === null) undated++;
    first = Math.min(first, time ?? first);
    last = Math.max(last, time ?? last);
  }
  if (undated === readings.length) return count;
  const days = [...new Set([formatDay(first), formatDay(last)])].join(' – ');
  return undated === 0 ? `${count}, ${days}` : `${count}, ${days}, ${undated} without a date`;
}
