import { AnalyserError } from '../../../base/errors.js';
import { correctReading } from '../../../client/change-readings.js';
import { parseMeasure, parseTimestamp } from '../../../client/new-reading.js';
import { confirmDoubts } from '../../app/confirm-doubts.js';
import { withOwnPod } from '../../app/with-own-pod.js';
import type { Mode } from '../../mode.js';

export const mode: Mode = (context) => {
  const { value, print } = context;
  const timestamp = parseTimestamp(value('time') ?? '');
  const measure = (flag: string, name: string) => {
    const text = value(flag);
    return text === undefined ? undefined : parseMeasure(name, text);
  };
  const given = {
    systolic: measure('systolic', 'systolic'),
    diastolic: measure('diastolic', 'diastolic'),
    heartRate: measure('heartRate', 'heart_rate'),
    notes: value('notes'),
  };
  const correction = Object.fromEntries(
    Object.entries(given).filter(([, corrected]) => corrected !== undefined),
  );
  if (Object.keys(correction).length === 0) {
    throw new AnalyserError('configuration', 'Nothing to change: give a value, see --help.');
  }
  return withOwnPod(context, async (ownPod, _app, signal) => {
    await correctReading(ownPod, timestamp, correction, signal, async (corrected) => {
      await confirmDoubts([corrected], context);
      return true;
    });
    print(`The reading of ${timestamp.slice(0, 19)} was changed; its shares stay as they are.`);
  });
};
