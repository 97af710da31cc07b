import type { MeasureName } from '../../analysis/reading.js';
import { formatDay } from './calendar.js';

export const measureTitles: Readonly<Record<MeasureName, string>> = {
  systolic: 'Systolic',
  diastolic: 'Diastolic',
  heart_rate: 'Heart rate',
};

/** What the thick part of the time axis is. */
export const homeDaysTitle = 'Days of the home average';

/** "30 readings, 19 Aug 2026 – 17 Sep 2026": how many there are, and the days they span. */
export function describeReadings(count: number, span: readonly number[] | null): string {
  if (count === 0) return 'No readings';
  if (span === null) return describeCount(count);
  return `${describeCount(count)}, ${[...new Set(span.map(formatDay))].join(' – ')}`;
}

/** What stands under the picture: what it leaves out, and how it draws more than it has room for. */
export function describeDrawing(undated: number, banded: boolean): string {
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
