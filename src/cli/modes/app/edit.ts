import { AnalyserError } from '../../../base/errors.js';
import { correctReading } from '../../../client/change-readings.js';
import { parseMeasure, parseTimestamp } from '../../../client/new-reading.js';
import { confirmDoubts } from '../../app/confirm-doubts.js';
import { withOwnPod } from '../../app/with-own-pod.js';
import { exitCodes } from '../../exit-codes.js';
import type { Mode } from '../../mode.js';

export const mode: Mode = {
  run(context) {
    const { options, print } = context;
    const text = (name: string) => {
      const value = options[name];
      return typeof value === 'string' ? value : undefined;
    };
    const timestamp = parseTimestamp(text('time') ?? '');
    const measure = (option: string, name: string) => {
      const value = text(option);
      return value === undefined ? undefined : parseMeasure(name, value);
    };
    const given = {
      systolic: measure('systolic', 'systolic'),
      diastolic: measure('diastolic', 'diastolic'),
      heartRate: measure('heartRate', 'heart_rate'),
      notes: text('notes'),
    };
    const correction = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
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
      return exitCodes.ok;
    });
  },
};
