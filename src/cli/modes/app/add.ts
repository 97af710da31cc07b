import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AnalyserError } from '../../../base/errors.js';
import {
  findDoubts,
  type NewReading,
  parseNewReading,
  parseReadingsCsv,
} from '../../../client/new-reading.js';
import { addReadings } from '../../../client/readings.js';
import { withOwnPod } from '../../app/with-own-pod.js';
import { exitCodes } from '../../exit-codes.js';
import type { Mode, ModeContext } from '../../mode.js';
import { createProgress } from '../../progress.js';
import { askYesNo, canAsk } from '../../prompt.js';

/** Shown before the question; a whole import can be doubtful. */
const MOST_DOUBTS = 10;

const values = ['systolic', 'diastolic', 'heartRate', 'notes', 'time'] as const;

export const mode: Mode = {
  async run(context) {
    const readings = await findReadings(context);
    await confirmDoubts(readings, context);
    return await withOwnPod(context, async (own, _app, signal) => {
      const onProgress = createProgress(process.stderr)('Recording');
      const { added, alreadyThere } = await addReadings(own, readings, { onProgress, signal });
      context.print(
        `Recorded ${added.length} of ${readings.length}, each encrypted with a key of its own.`,
      );
      if (alreadyThere.length > 0) {
        context.print(
          `Left as they are, since there is one of that second: ${alreadyThere.length}.`,
        );
      }
      return exitCodes.ok;
    });
  },
};

async function findReadings({ options, cwd }: ModeContext): Promise<NewReading[]> {
  const text = (name: string) => {
    const value = options[name];
    return typeof value === 'string' ? value : '';
  };
  if (options['csv'] === undefined) {
    const reading = {
      timestamp: text('time') || wallClock(new Date()),
      systolic: text('systolic'),
      diastolic: text('diastolic'),
      heartRate: text('heartRate'),
      notes: text('notes'),
    };
    return [parseNewReading(reading)];
  }
  if (values.some((name) => options[name] !== undefined)) {
    throw new AnalyserError(
      'configuration',
      '--csv imports a file; give no single values with it.',
    );
  }
  const path = resolve(cwd, text('csv'));
  return parseReadingsCsv(await readCsv(path));
}

/** A date in the future or swapped numbers are asked about, once for all. */
async function confirmDoubts(
  readings: readonly NewReading[],
  { options, printError }: ModeContext,
): Promise<void> {
  const now = Date.parse(`${wallClock(new Date())}Z`);
  const doubts = readings.flatMap((reading) => findDoubts(reading, now));
  if (doubts.length === 0 || options['yes'] === true) return;
  for (const doubt of doubts.slice(0, MOST_DOUBTS)) printError(doubt);
  if (doubts.length > MOST_DOUBTS) printError(`… and ${doubts.length - MOST_DOUBTS} more.`);
  if (canAsk() && (await askYesNo('Record all the same?'))) return;
  throw new AnalyserError('configuration', 'Nothing was recorded; --yes records it all the same.');
}

async function readCsv(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new AnalyserError('configuration', `--csv: ${path} cannot be read.`, { cause });
  }
}

/** Local time without an offset, as the app writes it. */
function wallClock(now: Date): string {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, -1);
}
