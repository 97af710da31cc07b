import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AnalyserError } from '../../base/errors.js';
import { addReadings } from '../../client/add-readings.js';
import { askAboutUtc } from '../../client/csv-doubts.js';
import { isUtc, parseNewReading } from '../../client/new-reading.js';
import { readingAddress } from '../../client/readings.js';
import { readReadingsCsv } from '../../client/readings-csv.js';
import { exitCodes } from '../exit-codes.js';
import type { ModeContext } from '../mode.js';
import { createProgress } from '../progress.js';
import { confirmDoubts, type Found, localTime, oneReading } from './confirm-doubts.js';
import { type AppFlags, withOwnPod } from './with-own-pod.js';

export interface MeasureFlags {
  systolic?: string;
  diastolic?: string;
  heartRate?: string;
  notes?: string;
  time?: string;
}

interface AddFlags extends AppFlags, MeasureFlags {
  csv?: string;
  yes?: boolean;
}

export async function add(context: ModeContext, flags: AddFlags): Promise<number> {
  const found = await findReadings(context, flags);
  const { readings, rows, repeated } = found;
  await confirmDoubts(found, flags, context);
  return await withOwnPod(context, flags, async (ownPod, _app, signal) => {
    const { print, printError } = context;
    const onProgress = createProgress(process.stderr)('Recording');
    const { added, alreadyThere, otherThere } = await addReadings(ownPod, readings, {
      onProgress,
      signal,
    });
    print(`Recorded ${added.length} of ${readings.length}, each encrypted with a key of its own.`);
    if (repeated.length > 0) {
      print(`Left out, since an earlier row says the same: ${listed(repeated)}.`);
    }
    if (alreadyThere.length > 0) {
      print(`Left as they are, since they are in your Pod already: ${alreadyThere.length}.`);
    }
    if (otherThere.length === 0) return exitCodes.ok;
    const other = new Set(otherThere);
    const named = readings.flatMap(({ timestamp }, index) => {
      if (!other.has(readingAddress(ownPod, timestamp))) return [];
      const time = timestamp.slice(0, 19);
      const row = rows[index];
      return row === undefined ? time : `${row} (${time})`;
    });
    printError(
      `Not recorded, since your Pod has other values for that second: ${listed(named)}. To correct your Pod, use app edit; to keep both, give the new one another second.`,
    );
    return exitCodes.failed;
  });
}

/** A list in a message names no more entries than this. */
const MOST_LISTED = 10;

function listed(names: readonly string[]): string {
  const more = names.length - MOST_LISTED;
  return [...names.slice(0, MOST_LISTED), ...(more > 0 ? [`… and ${more} more`] : [])].join(', ');
}

async function findReadings({ cwd, print }: ModeContext, flags: AddFlags): Promise<Found> {
  const { csv, systolic = '', diastolic = '', heartRate = '', notes = '', time = '' } = flags;
  if (csv === undefined) {
    const timestamp = time || localTime(new Date());
    const reading = parseNewReading({ timestamp, systolic, diastolic, heartRate, notes });
    return oneReading(reading, isUtc(timestamp) ? [askAboutUtc('--time is')] : []);
  }
  if ([systolic, diastolic, heartRate, notes, time].some((given) => given !== '')) {
    const message = '--csv imports a file; give no single values with it.';
    throw new AnalyserError('configuration', message);
  }
  const path = resolve(cwd, csv);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new AnalyserError('configuration', `--csv: ${path} cannot be read.`, { cause });
  });
  const found = readReadingsCsv(text);
  print(`${found.form}.`);
  return found;
}
