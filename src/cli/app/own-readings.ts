import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Reading, wallClock } from '../../analysis/reading.js';
import { AnalyserError } from '../../base/errors.js';
import { countOf } from '../../base/sentences.js';
import { correctReading, removeReadings } from '../../client/change-readings.js';
import {
  findDoubts,
  type NewReading,
  parseMeasure,
  parseNewReading,
  parseTimestamp,
} from '../../client/new-reading.js';
import { initialiseOwnPod } from '../../client/open-own-pod.js';
import { addReadings, readReadings, type StoredReading } from '../../client/readings.js';
import { csvRowName, readReadingsCsv } from '../../client/readings-csv.js';
import { exitCodes } from '../exit-codes.js';
import type { ModeContext } from '../mode.js';
import { createProgress } from '../progress.js';
import { askNewSecret, askYesNo, canAsk } from '../prompt.js';
import { type AppFlags, requireAnalyser, withOwnPod } from './with-own-pod.js';

export function initialise(context: ModeContext, flags: AppFlags): Promise<void> {
  const askKey = () => askNewSecret('A new security key, to be remembered: ');
  const how = { open: initialiseOwnPod, askKey };
  return withOwnPod(
    context,
    flags,
    ({ pod }) => {
      context.print(`${pod.webId} is ready for encrypted data below ${pod.documents.app}`);
      context.print('Without the security key nothing in it can be read; nobody can restore it.');
    },
    how,
  );
}

export function list(context: ModeContext, flags: ListFlags): Promise<void> {
  return withOwnPod(context, flags, async (ownPod, _app, signal) => {
    const readings = await readReadings(ownPod, { signal });
    if (flags.json) {
      context.printJson(readings.map(toJson));
      return;
    }
    for (const reading of readings) context.print(describe(reading));
    context.print(`${countOf(readings.length, 'reading')}.`);
  });
}

function describe({ url, reading, notes, problem }: StoredReading): string {
  if (reading === null) return `${url.slice(url.lastIndexOf('/') + 1)}  ${problem}`;
  const { systolic, diastolic, heart_rate } = reading;
  const measures = `${systolic} / ${diastolic} mm Hg`.padStart(16);
  const rate = (heart_rate === null ? '' : `${heart_rate} bpm`).padEnd(7);
  return `${timeOf(reading)}  ${measures}  ${rate}  ${notes}`.trimEnd();
}

function toJson({ url, reading, notes, problem }: StoredReading): object {
  if (reading === null) return { url, problem };
  const { systolic, diastolic, heart_rate } = reading;
  return { url, timestamp: timeOf(reading), systolic, diastolic, heart_rate, notes };
}

/** The time by the clock of the reading, as --time takes it. */
function timeOf(reading: Pick<Reading, 'time' | 'offset'>): string {
  const clock = wallClock(reading);
  return clock === null ? 'no time'.padEnd(19) : new Date(clock).toISOString().slice(0, 19);
}

interface MeasureFlags {
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

export async function add(context: ModeContext, flags: AddFlags): Promise<void> {
  const readings = await findReadings(context, flags);
  const places =
    flags.csv === undefined ? [] : readings.map((_reading, index) => csvRowName(index));
  await confirmDoubts(readings, flags, context, places);
  await withOwnPod(context, flags, async (ownPod, _app, signal) => {
    const onProgress = createProgress(process.stderr)('Recording');
    const { added, alreadyThere } = await addReadings(ownPod, readings, { onProgress, signal });
    context.print(
      `Recorded ${added.length} of ${readings.length}, each encrypted with a key of its own.`,
    );
    if (alreadyThere.length > 0) {
      context.print(`Left as they are, since there is one of that second: ${alreadyThere.length}.`);
    }
  });
}

async function findReadings({ cwd, print }: ModeContext, flags: AddFlags): Promise<NewReading[]> {
  const { csv, systolic = '', diastolic = '', heartRate = '', notes = '', time = '' } = flags;
  if (csv === undefined) {
    const timestamp = time || localTime(new Date());
    return [parseNewReading({ timestamp, systolic, diastolic, heartRate, notes })];
  }
  if ([systolic, diastolic, heartRate, notes, time].some((given) => given !== '')) {
    const message = '--csv imports a file; give no single values with it.';
    throw new AnalyserError('configuration', message);
  }
  const path = resolve(cwd, csv);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new AnalyserError('configuration', `--csv: ${path} cannot be read.`, { cause });
  });
  const { form, readings } = readReadingsCsv(text);
  print(`${form}.`);
  return readings;
}

interface EditFlags extends AppFlags, MeasureFlags {
  time: string;
  yes?: boolean;
}

export async function edit(context: ModeContext, flags: EditFlags): Promise<void> {
  const timestamp = parseTimestamp(flags.time);
  const measure = (name: string, text: string | undefined) =>
    text === undefined ? undefined : parseMeasure(name, text);
  const given = {
    systolic: measure('systolic', flags.systolic),
    diastolic: measure('diastolic', flags.diastolic),
    heartRate: measure('heart_rate', flags.heartRate),
    notes: flags.notes,
  };
  const correction = Object.fromEntries(
    Object.entries(given).filter(([, corrected]) => corrected !== undefined),
  );
  if (Object.keys(correction).length === 0) {
    throw new AnalyserError('configuration', 'Nothing to change: give a value, see --help.');
  }
  await withOwnPod(context, flags, async (ownPod, _app, signal) => {
    await correctReading(ownPod, timestamp, correction, signal, async (corrected) => {
      await confirmDoubts([corrected], flags, context);
      return true;
    });
    context.print(
      `The reading of ${timestamp.slice(0, 19)} was changed; its shares stay as they are.`,
    );
  });
}

/** The most doubts shown before the question, as a whole import can be doubtful. */
const MOST_DOUBTS = 10;

/** Asks once about all dates in the future and swapped numbers. `places` say where each reading comes from. */
async function confirmDoubts(
  readings: readonly NewReading[],
  { yes = false }: { yes?: boolean },
  { printError }: ModeContext,
  places: readonly string[] = [],
): Promise<void> {
  const now = Date.parse(`${localTime(new Date())}Z`);
  const doubts = readings.flatMap((reading, index) => {
    const place = places[index];
    return findDoubts(reading, now).map((doubt) =>
      place === undefined ? doubt : `${place}: ${doubt}`,
    );
  });
  if (doubts.length === 0 || yes) return;
  for (const doubt of doubts.slice(0, MOST_DOUBTS)) printError(doubt);
  if (doubts.length > MOST_DOUBTS) printError(`… and ${doubts.length - MOST_DOUBTS} more.`);
  if (await askYesNo('Record all the same?')) return;
  throw new AnalyserError('configuration', 'Nothing was recorded; --yes records it all the same.');
}

/** Local time without an offset, as the app writes it. */
function localTime(now: Date): string {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, -1);
}

interface RemoveFlags extends AppFlags {
  time: string;
  yes?: boolean;
}

export async function remove(context: ModeContext, flags: RemoveFlags): Promise<number> {
  const { print, printError } = context;
  const timestamp = parseTimestamp(flags.time);
  const time = timestamp.slice(0, 19);
  const isSure = flags.yes === true;
  if (!isSure && !canAsk()) {
    const message = 'Nobody is there to confirm that a reading is removed: add --yes.';
    throw new AnalyserError('configuration', message);
  }
  return await withOwnPod(context, flags, async (ownPod, app, signal) => {
    const { analyserWebId } = requireAnalyser(app);
    if (!isSure && !(await askYesNo(`Remove the reading of ${time} for good?`))) {
      printError('Nothing was removed.');
      return exitCodes.failed;
    }
    await removeReadings(ownPod, analyserWebId, [timestamp], signal);
    print(`The reading of ${time} was removed, and its share with ${analyserWebId} taken back.`);
    return exitCodes.ok;
  });
}

interface ListFlags extends AppFlags {
  json?: boolean;
}
