import { invalidInput } from './new-reading.js';

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** A date with two numbers before the year, which does not show by itself which of the two is the day. */
const numbered = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})\b/;
const yearFirst = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})\b/;
const dayAndName = /^(\d{1,2})\.? +([a-z]{3})[a-z]*\.?,? +(\d{4})\b/i;
const nameAndDay = /^([a-z]{3})[a-z]*\.? +(\d{1,2}),? +(\d{4})\b/i;
const clockPattern = /^,?[ T]*(\d{1,2}):(\d{2})(?::(\d{2}))?(?: *([ap])\.?m\.?)?$/i;

export type DayOrder = 'day first' | 'month first' | null;

/**
 * The order of day and month that fits all dates; null if no date needs an order. Throws if both orders fit, and if
 * neither fits.
 */
export function orderOfDates(times: readonly string[]): DayOrder {
  const dates = times.flatMap((time) => {
    const [, first, mark, second] = numbered.exec(time.trim()) ?? [];
    return first === undefined ? [] : [{ first: Number(first), mark, second: Number(second) }];
  });
  if (dates.length === 0) return null;
  // Nobody writes the month first with dots.
  const isDayFirst = dates.some(({ first, mark }) => first > 12 || mark === '.');
  const isMonthFirst = dates.some(({ second }) => second > 12);
  if (isDayFirst !== isMonthFirst) return isDayFirst ? 'day first' : 'month first';
  throw invalidInput(
    'timestamp',
    isDayFirst
      ? 'The CSV has dates with the day first and dates with the month first; write them as 2026-08-19'
      : 'The dates of the CSV can be read with the day first and with the month first; write them as 2026-08-19',
  );
}

/** Writes a time of a known form as an ISO time; any other text stays as it is. */
export function isoTime(text: string, order: DayOrder): string {
  const trimmed = text.trim();
  const date = dateOf(trimmed, order);
  if (date === null) return trimmed;
  const rest = trimmed.slice(date.length).trim();
  const clock = rest === '' ? '' : clockOf(rest);
  if (clock === null) return trimmed;
  return `${date.year}-${twoDigits(date.month)}-${twoDigits(date.day)}${clock}`;
}

interface DateOfText {
  year: string;
  month: string;
  day: string;
  /** The number of characters that the date takes in the text. */
  length: number;
}

function dateOf(text: string, order: DayOrder): DateOfText | null {
  const isDayFirst = order === 'day first';
  for (const [pattern, places] of [
    [/^(\d{4})-(\d{2})-(\d{2})\b/, [1, 2, 3]],
    [yearFirst, [1, 2, 3]],
    [numbered, isDayFirst ? [4, 3, 1] : [4, 1, 3]],
    [dayAndName, [3, 2, 1]],
    [nameAndDay, [3, 1, 2]],
  ] as const) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const [year = '', month = '', day = ''] = places.map((place) => match[place]);
    return { year, month: monthOf(month), day, length: match[0].length };
  }
  return null;
}

function monthOf(text: string): string {
  const index = months.indexOf(text.toLowerCase());
  return index < 0 ? text : String(index + 1);
}

/** The time of day in the form "T19:15:00"; null for a text that is not a time of day. */
function clockOf(text: string): string | null {
  const match = clockPattern.exec(text);
  if (match === null) return null;
  const [, hourText, minute = '', second = '00', half] = match;
  const hour = Number(hourText);
  if (half === undefined) return `T${twoDigits(String(hour))}:${minute}:${second}`;
  if (hour < 1 || hour > 12) return null;
  const ofDay = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return `T${twoDigits(String(ofDay))}:${minute}:${second}`;
}

function twoDigits(number: string): string {
  return number.padStart(2, '0');
}
