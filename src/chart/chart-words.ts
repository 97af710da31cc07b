import type { Reading } from '../analysis/reading.js';
import { formatDay } from './calendar.js';

/** "30 readings, 19 Aug 2026 – 17 Sep 2026": how many there are, and the days they span. */
export function describeReadings(readings: readonly Reading[]): string {
  if (readings.length === 0) return 'No readings';
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { time } of readings) {
    first = Math.min(first, time ?? first);
    last = Math.max(last, time ?? last);
  }
  const count = describeCount(readings.length);
  if (first > last) return count;
  return `${count}, ${[...new Set([formatDay(first), formatDay(last)])].join(' – ')}`;
}

/** What stands under the picture: what it leaves out, and how it draws more than it has room for. */
export function describeDrawing(readingCount: number, drawnCount: number, banded: boolean): string {
  const undated = readingCount - drawnCount;
  return [
    ...(banded ? ['Lines: rolling mean; bands: lowest to highest reading around it.'] : []),
    ...(undated > 0
      ? [
          `${describeCount(undated)} without a date ${undated === 1 ? 'counts in the average but is' : 'count in the averages but are'} not drawn.`,
        ]
      : []),
  ].join(' ');
}

function describeCount(readings: number): string {
  return `${readings.toLocaleString('en')} reading${readings === 1 ? '' : 's'}`;
}
