import { countOf } from '../../base/sentences.js';
import { readReadings, type StoredReading } from '../../client/readings.js';
import type { ModeContext } from '../mode.js';
import type { AppFlags } from './app-settings.js';
import { withOwnPod } from './with-own-pod.js';

interface ListFlags extends AppFlags {
  json?: boolean;
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

function describe({ url, reading, problem }: StoredReading): string {
  if (reading === null) return `${url.slice(url.lastIndexOf('/') + 1)}  ${problem}`;
  const { systolic, diastolic, heart_rate } = reading;
  const measures = `${systolic} / ${diastolic} mm Hg`.padStart(16);
  return `${timeOf(reading)}  ${measures}  ${heart_rate === null ? '' : `${heart_rate} bpm`}`.trimEnd();
}

function toJson({ url, reading, problem }: StoredReading): object {
  if (reading === null) return { url, problem };
  const { systolic, diastolic, heart_rate } = reading;
  return { url, timestamp: timeOf(reading), systolic, diastolic, heart_rate };
}

function timeOf({ time }: { time: number | null }): string {
  return time === null ? 'no time'.padEnd(19) : new Date(time).toISOString().slice(0, 19);
}
