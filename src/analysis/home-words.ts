import { countOf } from '../base/sentences.js';
import type { DaysAverage } from './home.js';

/** A document of another Pod than the caller's has neither. */
interface Latest {
  home?: DaysAverage | null | undefined;
  recent?: DaysAverage | null | undefined;
}

export function latestAverage({
  home = null,
  recent = null,
}: Latest): { name: 'Home average' | 'Recent average'; days: DaysAverage } | null {
  if (home !== null) return { name: 'Home average', days: home };
  return recent === null ? null : { name: 'Recent average', days: recent };
}

/** "6 days from 2026-11-03 to 2026-11-08, 24 readings, the first day left out" */
function describeDays(
  { from, to, days, readings, first_day_left_out }: DaysAverage,
  showDay: (day: string) => string,
): string {
  const when = from === to ? `on ${showDay(from)}` : `from ${showDay(from)} to ${showDay(to)}`;
  return [
    `${countOf(days, 'day')} ${when}`,
    countOf(readings, 'reading'),
    ...(first_day_left_out ? ['the first day left out'] : []),
  ].join(', ');
}

const whatItTakes =
  'A home average takes four days within ten, and twelve readings without those of the first day.';

export function describeLatest(
  latest: Latest,
  showDay: (day: string) => string = (day) => day,
): string | null {
  const average = latestAverage(latest);
  if (average === null) return null;
  const { name, days } = average;
  const what = `${name}: ${describeDays(days, showDay)}.`;
  return name === 'Home average' ? what : `${what} ${whatItTakes}`;
}
