import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AnalyserError } from '../../base/errors.js';
import { type NewReading, parseNewReading, parseReadingsCsv } from '../../client/new-reading.js';
import { addReadings } from '../../client/readings.js';
import type { ModeContext } from '../mode.js';
import { createProgress } from '../progress.js';
import type { AppFlags } from './app-settings.js';
import { confirmDoubts, wallClock } from './confirm-doubts.js';
import { withOwnPod } from './with-own-pod.js';

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

export async function add(context: ModeContext, flags: AddFlags): Promise<void> {
  const readings = await findReadings(context, flags);
  await confirmDoubts(readings, flags, context);
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

async function findReadings({ cwd }: ModeContext, flags: AddFlags): Promise<NewReading[]> {
  const { csv, systolic = '', diastolic = '', heartRate = '', notes = '', time = '' } = flags;
  if (csv === undefined) {
    const timestamp = time || wallClock(new Date());
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
  return parseReadingsCsv(text);
}
