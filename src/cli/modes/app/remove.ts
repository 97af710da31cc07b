import { AnalyserError } from '../../../base/errors.js';
import { removeReadings } from '../../../client/change-readings.js';
import { parseTimestamp } from '../../../client/new-reading.js';
import { requireAnalyser } from '../../app/app-settings.js';
import { withOwnPod } from '../../app/with-own-pod.js';
import { exitCodes } from '../../exit-codes.js';
import type { Mode } from '../../mode.js';
import { askYesNo, canAsk } from '../../prompt.js';

export const mode: Mode = (context) => {
  const { has, value, print, printError } = context;
  const timestamp = parseTimestamp(value('time') ?? '');
  const time = timestamp.slice(0, 19);
  const isSure = has('yes');
  if (!isSure && !canAsk()) {
    const message = 'Nobody is there to confirm that a reading is removed: add --yes.';
    throw new AnalyserError('configuration', message);
  }
  return withOwnPod(context, async (ownPod, app, signal) => {
    const { analyserWebId } = requireAnalyser(app);
    if (!isSure && !(await askYesNo(`Remove the reading of ${time} for good?`))) {
      printError('Nothing was removed.');
      return exitCodes.failed;
    }
    await removeReadings(ownPod, analyserWebId, [timestamp], signal);
    print(`The reading of ${time} was removed, and its share with ${analyserWebId} taken back.`);
    return exitCodes.ok;
  });
};
