import { AnalyserError } from '../../base/errors.js';
import { removeReadings } from '../../client/change-readings.js';
import { parseTimestamp } from '../../client/new-reading.js';
import { exitCodes } from '../exit-codes.js';
import type { ModeContext } from '../mode.js';
import { askYesNo, canAsk } from '../prompt.js';
import { type AppFlags, requireAnalyser } from './app-settings.js';
import { withOwnPod } from './with-own-pod.js';

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
