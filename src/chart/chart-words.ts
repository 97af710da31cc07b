import { type MeasureName, measureNames } from '../analysis/reading.js';
import { describePeriod, type StudyPeriod } from '../base/study-period.js';
import type { ChartPlan } from './chart-plan.js';

export const measureTitles: Readonly<Record<MeasureName, string>> = {
  systolic: 'Systolic',
  diastolic: 'Diastolic',
  heart_rate: 'Heart rate',
};

export const homeDaysTitle = 'Days of the home average';

export function describeReadings({ readingCount, span, home, means, period }: ChartPlan): string[] {
  const days = span === null ? '' : `, ${[...new Set(span.map(formatDay))].join(' – ')}`;
  const readings = readingCount === 0 ? 'No readings' : `${describeCount(readingCount)}${days}`;
  const averages = home && [home.average.systolic, home.average.diastolic];
  const pressure = averages?.map((value) => value?.toFixed(1) ?? '–').join(' / ');
  const more = [
    ...(means === null ? [] : [describeMeans(means)]),
    ...(period === null ? [] : [`Study period: ${inDays(period)}`]),
  ];
  return [
    pressure === undefined ? readings : `${readings}; home average ${pressure}`,
    ...(more.length === 0 ? [] : [more.join('. ')]),
  ];
}

/** "Lowest to highest: systolic 98–171, diastolic 55–102" */
function describeMeans({ lowest, highest }: NonNullable<ChartPlan['means']>): string {
  const ranges = measureNames.flatMap((name) => {
    const [low, high] = [lowest[name], highest[name]];
    if (low === null || high === null) return [];
    return `${measureTitles[name].toLowerCase()} ${[low, high].map((value) => Number(value.toFixed(1))).join('–')}`;
  });
  return `Lowest to highest: ${ranges.join(', ')}`;
}

/** Names only days, because there is no room for times. */
function inDays({ from, until }: StudyPeriod): string {
  const day = (text: string | null) =>
    text && formatDay(Date.parse(text.slice(0, 'yyyy-mm-dd'.length)));
  return describePeriod({ from: day(from), until: day(until) });
}

/** The text under the picture: what a point is if there are too many readings, which are not drawn, and what ± means. */
export function describeDrawing({ means, undatedCount: undated, noise }: ChartPlan): string {
  const hasNoise = measureNames.some((name) => noise[name] !== null);
  return [
    ...(means === null ? [] : ['Lines: means of readings that lie close together.']),
    ...(undated > 0
      ? [
          `${describeCount(undated)} without a date ${undated === 1 ? 'counts in the average but is' : 'count in the averages but are'} not drawn.`,
        ]
      : []),
    ...(hasNoise ? ['± is the noise in the cohort average.'] : []),
  ].join(' ');
}

function describeCount(readings: number): string {
  return `${readings.toLocaleString('en')} reading${readings === 1 ? '' : 's'}`;
}

/** Days and times are by the readings' own clock, and in English, whatever the settings of the machine. */
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export function formatDay(time: number): string {
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
