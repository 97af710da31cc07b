import { groupBy } from '../base/lists.js';
import { nameRows } from './csv-row-names.js';
import type { NewReading } from './new-reading.js';

interface Row {
  reading: NewReading;
  /** The place among the rows of the file. */
  index: number;
}

interface OneEachSecond {
  rows: Row[];
  /** The places of rows with the same content as an earlier row. */
  repeated: number[];
  /** Questions to the user about rows that are moved to another second. */
  doubts: string[];
}

const SECOND_MS = 1000;

/**
 * Gives every reading a second of its own. A Pod holds one reading for each second, but many devices write times
 * without seconds. Of several different readings with one second, the first keeps it, and each other reading gets the
 * next second that is free in the file. The same file always gets the same seconds, so a repeated import finds each
 * reading at the address where the first import put it.
 */
export function oneEachSecond(readings: readonly NewReading[]): OneEachSecond {
  const all = readings.map((reading, index) => ({ reading, index }));
  const bySecond = groupBy(all, ({ reading }) => secondOf(reading));
  const taken = new Set(bySecond.keys());
  const result: OneEachSecond = { rows: [], repeated: [], doubts: [] };
  for (const [second, rows] of bySecond) {
    const distinct = [...groupBy(rows, ({ reading }) => valuesOf(reading)).values()];
    const different = distinct.flatMap(([first]) => first ?? []);
    result.repeated.push(...distinct.flatMap(([, ...others]) => others.map(({ index }) => index)));
    result.rows.push(...different.slice(0, 1));
    let free = second;
    for (const row of different.slice(1)) {
      while (taken.has(free)) free += SECOND_MS;
      taken.add(free);
      const timestamp = new Date(free).toISOString().slice(0, -1);
      result.rows.push({ ...row, reading: { ...row.reading, timestamp } });
    }
    if (different.length > 1) result.doubts.push(doubtOf(different));
  }
  result.rows.sort((one, other) => one.index - other.index);
  result.repeated.sort((one, other) => one - other);
  return result;
}

function doubtOf(rows: readonly Row[]): string {
  const [first] = rows;
  const named = nameRows(rows.map(({ index }) => index));
  const time = first?.reading.timestamp.slice(0, 19);
  return `${named} have the same time, ${time}, and different values. A Pod holds one reading for each second: the first of these rows keeps this second, each of the others is recorded at the next free one.`;
}

function secondOf({ timestamp }: NewReading): number {
  return Date.parse(`${timestamp.slice(0, 19)}Z`);
}

function valuesOf({ systolic, diastolic, heartRate, notes }: NewReading): string {
  return JSON.stringify([systolic, diastolic, heartRate, notes]);
}
