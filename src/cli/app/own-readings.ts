import { type Reading, wallClock } from '../../analysis/reading.js';
import { AnalyserError } from '../../base/errors.js';
import { countOf } from '../../base/sentences.js';
import { parseTimestamp } from '../../client/new-reading.js';
import { initialiseOwnPod } from '../../client/open-own-pod.js';
import { readReadings, type StoredReading } from '../../client/readings.js';
import { removeReadings } from '../../client/remove-readings.js';
import { exitCodes } from '../exit-codes.js';
import type { ModeContext } from '../mode.js';
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

interface RemoveFlags extends AppFlags {
  time?: string;
  all?: boolean;
  yes?: boolean;
}

export async function remove(context: ModeContext, flags: RemoveFlags): Promise<number> {
  const { print, printError } = context;
  const { time, all = false, yes = false } = flags;
  if ((time === undefined) !== all) {
    throw new AnalyserError('configuration', 'Which readings: give either --time or --all.');
  }
  const wanted = time === undefined ? 'all' : [parseTimestamp(time)];
  const what = time === undefined ? 'all readings' : `the reading of ${time}`;
  if (!yes && !canAsk()) {
    const message = 'Nobody is there to confirm what is removed: add --yes.';
    throw new AnalyserError('configuration', message);
  }
  return await withOwnPod(context, flags, async (ownPod, app, signal) => {
    const { analyserWebId } = requireAnalyser(app);
    if (!yes && !(await askYesNo(`Remove ${what} for good?`))) {
      printError('Nothing was removed.');
      return exitCodes.failed;
    }
    const { readings, shares } = await removeReadings(ownPod, analyserWebId, wanted, signal);
    print(`Removed: ${countOf(readings, 'reading')}.`);
    if (shares > 0) print(`Taken back from ${analyserWebId}: ${countOf(shares, 'share')}.`);
    return exitCodes.ok;
  });
}

interface ListFlags extends AppFlags {
  json?: boolean;
}
