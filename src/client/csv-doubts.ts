import { nameRows } from './csv-row-names.js';
import { isUtc, type NewReading } from './new-reading.js';

/**
 * A reading is stored without a zone, so hours in UTC would count as the person's own hours of morning and evening.
 */
export function doubtOfUtc(times: readonly string[]): string[] {
  const inUtc = times.flatMap((time, index) => (isUtc(time) ? index : []));
  if (inUtc.length === 0) return [];
  const verb = inUtc.length === 1 ? 'has its time' : 'have their times';
  return [askAboutUtc(`${nameRows(inUtc)} ${verb}`)];
}

export function askAboutUtc(who: string): string {
  return `${who} in UTC, and a reading keeps its time without a zone: morning and evening are right only if the clock on the wall showed UTC.`;
}

/** A decimal comma moves the cells of its row by one place, and the notes then hold a number. */
export function doubtOfNotes(readings: readonly NewReading[]): string[] {
  const numbers = readings.flatMap(({ notes }, index) =>
    /^\s*\d+([.,]\d+)?\s*$/.test(notes) ? index : [],
  );
  if (numbers.length === 0) return [];
  const verb = numbers.length === 1 ? 'has' : 'have';
  return [
    `${nameRows(numbers)} ${verb} only a number as notes: a decimal comma may have moved the values into wrong columns.`,
  ];
}
