import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AnalyserError } from '../../../base/errors.js';
import { type NewReading, parseNewReading, parseReadingsCsv } from '../../../client/new-reading.js';
import { addReadings } from '../../../client/readings.js';
import { confirmDoubts, wallClock } from '../../app/confirm-doubts.js';
import { withOwnPod } from '../../app/with-own-pod.js';
import type { Mode, ModeContext } from '../../mode.js';
import { createProgress } from '../../progress.js';

const flags = ['systolic', 'diastolic', 'heartRate', 'notes', 'time'] as const;

export const mode: Mode = async (context) => {
  const readings = await findReadings(context);
  await confirmDoubts(readings, context);
  await withOwnPod(context, async (ownPod, _app, signal) => {
    const onProgress = createProgress(process.stderr)('Recording');
    const { added, alreadyThere } = await addReadings(ownPod, readings, { onProgress, signal });
    context.print(
      `Recorded ${added.length} of ${readings.length}, each encrypted with a key of its own.`,
    );
    if (alreadyThere.length > 0) {
      context.print(`Left as they are, since there is one of that second: ${alreadyThere.length}.`);
    }
  });
};

async function findReadings({ value, cwd }: ModeContext): Promise<NewReading[]> {
  const csv = value('csv');
  if (csv === undefined) {
    const [systolic = '', diastolic = '', heartRate = '', notes = '', time = ''] = flags.map(value);
    const timestamp = time || wallClock(new Date());
    return [parseNewReading({ timestamp, systolic, diastolic, heartRate, notes })];
  }
  if (flags.some((name) => value(name) !== undefined)) {
    const message = '--csv imports a file; give no single values with it.';
    throw new AnalyserError('configuration', message);
  }
  const path = resolve(cwd, csv);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new AnalyserError('configuration', `--csv: ${path} cannot be read.`, { cause });
  });
  return parseReadingsCsv(text);
}
