import type { Figures } from '../analysis/figures.js';
import type { MeasureName } from '../analysis/reading.js';
import { describePeriod, type StudyPeriod } from '../base/study-period.js';
import type { ChartFigures } from './chart-figures.js';

export const measureTitles: Readonly<Record<MeasureName, string>> = {
  systolic: 'Systolic',
  diastolic: 'Diastolic',
  heart_rate: 'Heart rate',
};

/** The name of the thick part of the time axis. */
export const homeDaysTitle = 'Days of the home average';

/**
 * The words below the title: how many readings there are, the days they span, the average of the week that the chart
 * marks, and the study period. "30 readings, 19 Aug 2026 – 17 Sep 2026; home average 118.3 / 76.0" leaves no room for a
 * study period, so that has a line of its own then.
 */
export function describeReadings(
  { reading_count: count, period }: Pick<ChartFigures, 'reading_count' | 'period'>,
  span: readonly number[] | null,
  home: Figures | null,
): string[] {
  const days = span === null ? '' : `, ${[...new Set(span.map(formatDay))].join(' – ')}`;
  const readings = count === 0 ? 'No readings' : `${describeCount(count)}${days}`;
  const study = period === undefined ? null : inDays(period);
  if (home === null) return [study === null ? readings : `${readings}; study period: ${study}`];
  const withHome = `${readings}; home average ${describePressure(home)}`;
  return study === null ? [withHome] : [withHome, `Study period: ${study}`];
}

function describePressure({ systolic, diastolic }: Figures): string {
  return [systolic, diastolic].map((value) => value?.toFixed(1) ?? '–').join(' / ');
}

/** Names only days, because there is no room for times. */
function inDays({ from, until }: StudyPeriod): string {
  const day = (text: string | null) =>
    text && formatDay(Date.parse(text.slice(0, 'yyyy-mm-dd'.length)));
  return describePeriod({ from: day(from), until: day(until) });
}

/**
 * The text under the picture: the meaning of lines and bands if there are too many readings to draw each one, and how
 * many readings without a date are not drawn.
 */
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

/**
 * Days and times in the chart are those of the readings' own clock, and in English, whatever the settings of the
 * machine.
 */
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function formatDay(time: number): string {
  return `${formatDayOfYear(time)} ${formatYear(time)}`;
}

export function formatDayOfYear(time: number): string {
  return `${new Date(time).getUTCDate()} ${formatMonth(time)}`;
}

export function formatMonth(time: number): string {
  return months[new Date(time).getUTCMonth()] ?? '';
}

export function formatYear(time: number): string {
  return String(new Date(time).getUTCFullYear());
}

export function formatClock(time: number): string {
  return new Date(time).toISOString().slice(11, 16);
}
