import { isRecord, parseJson } from '../base/parse-json.js';
import { byMeasure, type MeasureName, measureNames, type Reading } from './reading.js';
import { parseTime, timeOfFileName } from './reading-time.js';

export interface ParsedReadings {
  readings: Reading[];
  /** The number of items that are no readings, because systolic or diastolic is missing or not valid. */
  incomplete: number;
}

/** This is more than the readings of a lifetime. Without this limit, a file of 4 MB could hold a million items. */
export const MOST_ITEMS_OF_FILE = 100_000;

/** Three for each of MOST_ITEMS_OF_FILE: without a limit, parsing 4 MB of brackets would take 200 MB of memory. */
const MOST_BRACKETS = 300_000;

/** One item of a file, with its values still unchecked; null for a value that is no item. */
type Item = Record<'timestamp' | MeasureName, unknown> | null;

/** JSON with one item or a list, which may be empty; null for anything else, or too many items. */
export function parseReadings(text: string, fileName: string): ParsedReadings | null {
  // This also removes a byte order mark.
  const trimmed = text.trim();
  const value = countBrackets(trimmed) > MOST_BRACKETS ? undefined : parseJson(trimmed);
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > MOST_ITEMS_OF_FILE) return null;
  const items = list.map(itemOf);
  if (items.length > 0 && items.every((item) => item === null)) return null;
  const readings = items.flatMap((item) => (item && readingOf(item)) ?? []);
  const [only] = readings;
  // A file with several items is named after its export, not after a measurement.
  if (items.length === 1 && only?.time === null) Object.assign(only, timeOfFileName(fileName));
  return { readings, incomplete: items.length - readings.length };
}

function countBrackets(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '[' || character === '{') count += 1;
  }
  return count;
}

function itemOf(value: unknown): Item {
  if (!isRecord(value)) return null;
  // Older files have the measures at the top level.
  const responses = value['responses'];
  const measures = isRecord(responses) ? responses : value;
  if (measures === value && !measureNames.some((name) => Object.hasOwn(value, name))) return null;
  return { timestamp: value['timestamp'], ...byMeasure((name) => measures[name]) };
}

function readingOf(item: NonNullable<Item>): Reading | null {
  const systolic = parseMeasure(item.systolic);
  const diastolic = parseMeasure(item.diastolic);
  if (systolic === null || diastolic === null) return null;
  const heart_rate = parseMeasure(item.heart_rate);
  const { time, offset } = parseTime(item.timestamp) ?? undated;
  return { time, offset, systolic, diastolic, heart_rate };
}

const undated = { time: null, offset: null };

/** Stricter than Number(), which accepts '', '0x76' and 'Infinity'. */
function parseMeasure(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : null;
  if (typeof value !== 'string' || value.length > 64) return null;
  const trimmed = value.trim();
  return /^\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : null;
}
