import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AnalyserError } from '../../../base/errors.js';
import { type NewReading, parseNewReading, parseReadingsCsv } from '../../../client/new-reading.js';
import { addReadings } from '../../../client/readings.js';
import { confirmDoubts, wallClock } from '../../app/confirm-doubts.js';
import { withOwnPod } from '../../app/with-own-pod.js';
import { exitCodes } from '../../exit-codes.js';
import type { Mode, ModeContext } from '../../mode.js';
import { createProgress } from '../../progress.js';

const values = ['systolic', 'diastolic', 'heartRate', 'notes', 'time'] as const;

export const mode: Mode = {
  async run(context) {
    const readings = await findReadings(context);
    await confirmDoubts(readings, context);
    return await withOwnPod(context, async (ownPod, _app, signal) => {
      const onProgress = createProgress(process.stderr)('Recording');
      const { added, alreadyThere } = await addReadings(ownPod, readings, { onProgress, signal });
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

async function readCsv(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new AnalyserError('configuration', `--csv: ${path} cannot be read.`, { cause });
  }
}
