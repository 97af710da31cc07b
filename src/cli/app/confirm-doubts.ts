import { AnalyserError } from '../../base/errors.js';
import { findDoubts, type NewReading } from '../../client/new-reading.js';
import type { ReadingsOfCsv } from '../../client/readings-csv.js';
import type { ModeContext } from '../mode.js';
import { askYesNo } from '../prompt.js';

/** The readings to record. `rows` names the row of each reading in a CSV file; it is empty for a single reading. */
export type Found = Omit<ReadingsOfCsv, 'form'>;

export function oneReading(reading: NewReading, doubts: string[] = []): Found {
  return { readings: [reading], rows: [], doubts, repeated: [] };
}

/** No more doubts than this are shown before the question, because every row of an import can raise one. */
const MOST_DOUBTS = 10;

/**
 * Asks once about everything that looks like a slip. With --yes there is no question, but the doubts are still printed:
 * the user should know when a reading is moved to another second.
 */
export async function confirmDoubts(
  { readings, rows, doubts: ofFile }: Found,
  { yes = false }: { yes?: boolean },
  { printError }: ModeContext,
): Promise<void> {
  const now = Date.parse(`${localTime(new Date())}Z`);
  const ofReadings = readings.flatMap((reading, index) => {
    const row = rows[index];
    return findDoubts(reading, now).map((doubt) =>
      row === undefined ? doubt : `${row}: ${doubt}`,
    );
  });
  const doubts = [...ofFile, ...ofReadings];
  if (doubts.length === 0) return;
  for (const doubt of doubts.slice(0, MOST_DOUBTS)) printError(doubt);
  if (doubts.length > MOST_DOUBTS) printError(`… and ${doubts.length - MOST_DOUBTS} more.`);
  if (yes || (await askYesNo('Record all the same?'))) return;
  throw new AnalyserError('configuration', 'Nothing was recorded; --yes records it all the same.');
}

/** Local time without an offset, as the app writes it. */
export function localTime(now: Date): string {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, -1);
}
