import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AnalyserError } from '../../base/errors.js';
import { DAY_MS } from '../../base/utc-time.js';
import { addReadings } from '../../client/add-readings.js';
import { type NewReading, parseNewReading } from '../../client/new-reading.js';
import { readingAddress } from '../../client/readings.js';
import { type DateOrder, parseReadingsCsv } from '../../client/readings-csv.js';
import { exitCodes } from '../exit-codes.js';
import type { ModeContext } from '../mode.js';
import { createProgress } from '../progress.js';
import type { AppFlags } from './settings-file.js';
import { withOwnPod } from './with-own-pod.js';

interface AddFlags extends AppFlags {
  systolic?: string;
  diastolic?: string;
  heartRate?: string;
  notes?: string;
  time?: string;
  csv?: string;
  dates?: DateOrder;
  ignoreColumns?: boolean;
}

export async function add(context: ModeContext, flags: AddFlags): Promise<number> {
  const readings = await findReadings(context, flags);
  refuseFuture(readings);
  return await withOwnPod(context, flags, async (ownPod, signal) => {
    const { print, printError } = context;
    const onProgress = createProgress('Recording');
    const { added, alreadyThere, otherThere } = await addReadings(ownPod, readings, {
      onProgress,
      signal,
    });
    const all = added.length + alreadyThere.length + otherThere.length;
    print(`Recorded ${added.length} of ${all}, each encrypted with a key of its own.`);
    if (alreadyThere.length > 0) {
      print(`Left as they are, since they are in your Pod already: ${alreadyThere.length}.`);
    }
    if (otherThere.length === 0) return exitCodes.ok;
    const times = readings
      .filter(({ timestamp }) => otherThere.includes(readingAddress(ownPod, timestamp)))
      .map(({ timestamp }) => timestamp.slice(0, 19));
    printError(
      `Not recorded, since your Pod has other values for that second: ${times.join(', ')}. Remove what is there with app remove, or give the new reading another second.`,
    );
    return exitCodes.failed;
  });
}

async function findReadings(
  { cwd, printError }: ModeContext,
  flags: AddFlags,
): Promise<NewReading[]> {
  const { csv, dates, ignoreColumns, heartRate, notes } = flags;
  const { systolic = '', diastolic = '', time = '' } = flags;
  if (csv === undefined) {
    const timestamp = time || localTime(new Date());
    return [parseNewReading({ timestamp, systolic, diastolic, heartRate, notes })];
  }
  if (systolic || diastolic || heartRate || notes || time) {
    const message = '--csv imports a file; give no single values with it.';
    throw new AnalyserError('configuration', message);
  }
  const path = resolve(cwd, csv);
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new AnalyserError('configuration', `--csv: ${path} cannot be read.`, { cause });
  });
  if (!isUtf8(bytes)) {
    const message = `--csv: ${path} is not in UTF-8: save it in this encoding.`;
    throw new AnalyserError('configuration', message);
  }
  const tell = (names: string[]) => printError(`Columns passed over: ${names.join(', ')}.`);
  return parseReadingsCsv(bytes.toString(), dates, ignoreColumns ? tell : undefined);
}

/** A mistyped year would hide every reading of today. */
function refuseFuture(readings: readonly NewReading[]): void {
  // A day more, as the clock of the reading may be in another zone than that of this machine.
  const latest = localTime(new Date(Date.now() + DAY_MS));
  const ahead = readings.find(({ timestamp }) => timestamp > latest);
  if (ahead === undefined) return;
  const message = `${ahead.timestamp.slice(0, 19)} is in the future: correct the time. Nothing was recorded.`;
  throw new AnalyserError('configuration', message);
}

function localTime(now: Date): string {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, -1);
}
