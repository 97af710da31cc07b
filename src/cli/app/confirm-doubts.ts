import { AnalyserError } from '../../base/errors.js';
import { findDoubts, type NewReading } from '../../client/new-reading.js';
import type { ModeContext } from '../mode.js';
import { askYesNo } from '../prompt.js';

/** The most doubts shown before the question, as a whole import can be doubtful. */
const MOST_DOUBTS = 10;

/** Asks once about all dates in the future and swapped numbers. */
export async function confirmDoubts(
  readings: readonly NewReading[],
  { yes = false }: { yes?: boolean },
  { printError }: ModeContext,
): Promise<void> {
  const now = Date.parse(`${wallClock(new Date())}Z`);
  const doubts = readings.flatMap((reading) => findDoubts(reading, now));
  if (doubts.length === 0 || yes) return;
  for (const doubt of doubts.slice(0, MOST_DOUBTS)) printError(doubt);
  if (doubts.length > MOST_DOUBTS) printError(`… and ${doubts.length - MOST_DOUBTS} more.`);
  if (await askYesNo('Record all the same?')) return;
  throw new AnalyserError('configuration', 'Nothing was recorded; --yes records it all the same.');
}

/** Local time without an offset, as the app writes it. */
export function wallClock(now: Date): string {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, -1);
}
