import { AnalyserError } from '../../base/errors.js';
import { correctReading } from '../../client/change-readings.js';
import { parseMeasure, parseTimestamp } from '../../client/new-reading.js';
import type { ModeContext } from '../mode.js';
import type { MeasureFlags } from './add.js';
import type { AppFlags } from './app-settings.js';
import { confirmDoubts } from './confirm-doubts.js';
import { withOwnPod } from './with-own-pod.js';

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
