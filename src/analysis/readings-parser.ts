import { CsvEntries } from './csv-entries.js';
import { JsonEntries } from './json-entries.js';
import type { Entry, Reading } from './reading.js';
import { parseTime, timeOfFileName } from './reading-time.js';

export interface ParsedReadings {
  readings: Reading[];
  /** Entries without systolic or diastolic, which do not count as readings. */
  incomplete: number;
  /** Whether the file had more entries than are read of one file. */
  isCut: boolean;
}

/** More than a lifetime of readings; a file of 16 MB could hold millions. */
export const MOST_ENTRIES = 100_000;

/**
 * Reads the text of a decrypted or plain file: JSON with one entry or a list, or CSV with columns
 * by name. The text comes in pieces and is not kept.
 */
export class ReadingsParser {
  #format: JsonEntries | CsvEntries | null = null;
  #isBroken = false;
  #entries = 0;
  #isRecognised = false;
  readonly #parsed: ParsedReadings = { readings: [], incomplete: 0, isCut: false };

  constructor(private readonly file: { fileName: string }) {}

  /** Returns false when it has seen enough. */
  push(text: string): boolean {
    if (this.#hasEnough()) return false;
    this.#guard(() => {
      if (this.#format !== null) this.#format.push(text);
      else this.#begin(text);
    });
    return !this.#hasEnough();
  }

  /** Null when the text is neither JSON nor CSV. An empty list and a CSV with only a header are valid. */
  end(): ParsedReadings | null {
    if (!this.#parsed.isCut) this.#guard(() => this.#format?.end());
    if (this.#isBroken || this.#format === null) return null;
    const [only] = this.#parsed.readings;
    // A file with several entries is named after its export, not after a measurement.
    if (this.#entries === 1 && only) only.time ??= timeOfFileName(this.file.fileName);
    return this.#entries === 0 || this.#isRecognised ? this.#parsed : null;
  }

  #hasEnough(): boolean {
    return this.#isBroken || this.#parsed.isCut;
  }

  /** The first character that is not blank tells the format. */
  #begin(text: string): void {
    // \s matches a byte order mark as well.
    const start = /\S/.exec(text)?.[0];
    if (start === undefined) return;
    const take = (entry: Entry) => this.#take(entry);
    this.#format = /[[{]/.test(start) ? new JsonEntries(take) : new CsvEntries(take);
    this.#format.push(text.replace(/^\uFEFF/, ''));
  }

  #take(entry: Entry): boolean {
    if (this.#entries === MOST_ENTRIES) {
      this.#parsed.isCut = true;
      return false;
    }
    this.#entries += 1;
    this.#isRecognised ||= entry !== null;
    const reading = entry === null ? null : readingOf(entry);
    if (reading === null) this.#parsed.incomplete += 1;
    else this.#parsed.readings.push(reading);
    return true;
  }

  #guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      this.#isBroken = true;
    }
  }
}

function readingOf(entry: NonNullable<Entry>): Reading | null {
  const systolic = parseMeasure(entry.systolic);
  const diastolic = parseMeasure(entry.diastolic);
  if (systolic === null || diastolic === null) return null;
  const heart_rate = parseMeasure(entry.heart_rate);
  return { time: parseTime(entry.timestamp), systolic, diastolic, heart_rate };
}

/** Stricter than Number(), which accepts '', '0x76' and 'Infinity'. */
function parseMeasure(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : null;
  if (typeof value !== 'string' || value.length > 64) return null;
  const trimmed = value.trim();
  return /^\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : null;
}
