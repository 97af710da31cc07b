import { type Reading, wallClock } from '../../analysis/reading.js';
import { AnalyserError } from '../../base/errors.js';
import { countOf } from '../../base/sentences.js';
import { ClientError } from '../../client/client-error.js';
import { parseTimestamp } from '../../client/new-reading.js';
import { initialiseOwnPod, openOwnPod } from '../../client/open-own-pod.js';
import type { OwnPod } from '../../client/own-pod.js';
import { readReadings, type StoredReading } from '../../client/readings.js';
import { removeReadings } from '../../client/remove-readings.js';
import { exitCodes } from '../exit-codes.js';
import type { ModeContext } from '../mode.js';
import { makeUpSecret, refuseShortKey } from '../new-security-key.js';
import { askNewSecret, askSecret, isConfirmed } from '../prompt.js';
import { type AppFlags, type AppSettings, keepInSettings, readSettings } from './settings-file.js';
import { type Login, missing, withOwnPod } from './with-own-pod.js';

/** Makes the keys of the Pod. A key that is made up is kept and shown before it is used, so that it cannot get lost. */
export function initialise(context: ModeContext, flags: AppFlags): Promise<void> {
  const { print } = context;
  const open = async (login: Login, { settings, path }: AppSettings, signal: AbortSignal) => {
    const isNew = await hasNoKeys(login, signal);
    const given =
      settings.security_key ??
      (isNew
        ? await askNewSecret('A new security key, to be remembered (blank: make one up): ')
        : await askSecret('Your security key: '));
    const how = 'APP_USER_SECURITY_KEY, or security_key';
    if (given === '' && !isNew) throw missing('security key', how, path);
    if (isNew && given !== '') refuseShortKey(given);
    const securityKey = given || (await makeUpKey(path, print));
    return await initialiseOwnPod({ ...login, securityKey }, signal);
  };
  const told = ({ pod }: OwnPod) => {
    print(`${pod.webId} is ready for encrypted data below ${pod.documents.app}`);
    print('Without the security key nothing in it can be read; nobody can restore it.');
  };
  return withOwnPod(context, flags, told, open);
}

/** Any key tells: without keys in the Pod there is nothing that it could fit. */
/** Only a key that nobody chose is kept and shown. */
async function makeUpKey(path: string, print: ModeContext['print']): Promise<string> {
  const securityKey = makeUpSecret();
  await keepInSettings(path, { security_key: securityKey });
  print(`The security key of your Pod, which is kept in ${path}: ${securityKey}`);
  return securityKey;
}

async function hasNoKeys(login: Login, signal: AbortSignal): Promise<boolean> {
  try {
    await (await openOwnPod({ ...login, securityKey: '' }, signal)).close();
    return false;
  } catch (error) {
    const code = error instanceof ClientError ? error.code : null;
    if (code !== 'not-initialised' && code !== 'wrong-security-key') throw error;
    return code === 'not-initialised';
  }
}

export function list(context: ModeContext, flags: AppFlags): Promise<void> {
  return withOwnPod(context, flags, async (ownPod, signal) => {
    const readings = await readReadings(ownPod, { signal });
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
  const { time, all = false } = flags;
  if ((time === undefined) !== all) {
    throw new AnalyserError('configuration', 'Which readings: give either --time or --all.');
  }
  const wanted = time === undefined ? 'all' : [parseTimestamp(time)];
  const what = time === undefined ? 'all readings' : `the reading of ${time}`;
  const { settings, path } = await readSettings(context, flags);
  const analyser = settings.analyser.web_id ?? null;
  return await withOwnPod(context, flags, async (ownPod, signal) => {
    const confirming = { yes: flags.yes, what: 'what is removed' };
    if (!(await isConfirmed(`Remove ${what} for good?`, confirming))) {
      printError('Nothing was removed.');
      return exitCodes.failed;
    }
    const { readings, shares } = await removeReadings(ownPod, analyser, wanted, signal);
    print(`Removed: ${countOf(readings, 'reading')}.`);
    if (shares > 0) print(`Taken back from ${analyser}: ${countOf(shares, 'share')}.`);
    const how = `--analyser or web_id below analyser in ${path} names one`;
    if (analyser === null) printError(`No share was looked for, as no Analyser is named: ${how}.`);
    return exitCodes.ok;
  });
}
