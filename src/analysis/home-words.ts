import { countOf } from '../base/sentences.js';
import { FEWEST_DAYS, FEWEST_READINGS, type HomeAverage } from './home.js';

/** "6 days from 2026-11-03 to 2026-11-08, 24 readings, the first day left out": what it rests on. */
export function describeHomeDays(
  { from, to, days, readings, first_day_left_out }: HomeAverage,
  showDay: (day: string) => string = (day) => day,
): string {
  const when = from === to ? `on ${showDay(from)}` : `from ${showDay(from)} to ${showDay(to)}`;
  return [
    `${countOf(days, 'day')} ${when}`,
    countOf(readings, 'reading'),
    ...(first_day_left_out ? ['the first day left out'] : []),
  ].join(', ');
}

/** "not enough readings yet: 2 of 3 days, the first day not counted"; null where there are enough. */
export function describeShortage({
  sufficient,
  days,
  readings,
  first_day_left_out,
}: HomeAverage): string | null {
  if (sufficient) return null;
  const missing = first_day_left_out
    ? `${readings} of ${FEWEST_READINGS} readings`
    : `${days - 1} of ${FEWEST_DAYS} days`;
  return `not enough readings yet: ${missing}, the first day not counted`;
}

/** A sentence about both. */
export function describeHome(home: HomeAverage, showDay?: (day: string) => string): string {
  const shortage = describeShortage(home);
  const missing = shortage === null ? '' : `; ${shortage}`;
  return `Home average: ${describeHomeDays(home, showDay)}${missing}.`;
}
