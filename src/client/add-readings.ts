import { chunksOf, groupBy } from '../base/lists.js';
import { writeEncryptedResources } from '../pod/write-resource.js';
import { invalidInput } from './inputs.js';
import { type NewReading, parseNewReading, readingText } from './new-reading.js';
import type { OwnPod } from './own-pod.js';
import {
  listReadings,
  type ReadingOptions,
  readFiles,
  readingAddress,
  type StoredReading,
} from './readings.js';
import { workOn } from './translate-errors.js';

export interface Added {
  added: string[];
  /** Addresses of readings that the Pod held already, with the same values. */
  alreadyThere: string[];
  /** Not recorded: the Pod has another reading of the same second there, or a file that cannot be read. */
  otherThere: string[];
}

/** All keys of a batch are written in one change; a batch is small enough to show progress. */
const BATCH = 50;

/** Refuses all, before anything is written, if one is invalid, or if two of the same second have different values. */
export function addReadings(
  ownPod: OwnPod,
  readings: readonly NewReading[],
  { onProgress, signal }: ReadingOptions = {},
): Promise<Added> {
  return workOn(ownPod, signal, async (ownPod) => {
    const wanted = byAddress(ownPod, readings.map(parseNewReading));
    const there = new Set(await listReadings(ownPod, signal));
    const all = [...wanted];
    const known = all.filter(([url]) => there.has(url));
    const missing = all.filter(([url]) => !there.has(url));
    let done = 0;
    const progress = (more: number) => {
      done += more;
      onProgress?.(done, wanted.size);
    };
    const stored = groupBy(await readFiles(ownPod, known.map(urlOf), progress), ({ url }) => url);
    const isHeld = ([url, reading]: Addressed) =>
      (stored.get(url) ?? []).some((there) => holds(there, reading));
    const contents = missing.map(([url, reading]) => ({ url, content: readingText(reading) }));
    for (const batch of chunksOf(contents, BATCH)) {
      await writeEncryptedResources(ownPod.client, ownPod.pod, batch);
      progress(batch.length);
    }
    return {
      added: missing.map(urlOf),
      alreadyThere: known.filter(isHeld).map(urlOf),
      otherThere: known.filter((addressed) => !isHeld(addressed)).map(urlOf),
    };
  });
}

type Addressed = readonly [url: string, reading: NewReading];

function urlOf([url]: Addressed): string {
  return url;
}

function byAddress(ownPod: OwnPod, readings: readonly NewReading[]): Map<string, NewReading> {
  const wanted = new Map<string, NewReading>();
  for (const reading of readings) {
    const url = readingAddress(ownPod, reading.timestamp);
    const earlier = wanted.get(url) ?? reading;
    if (readingText({ ...earlier, timestamp: reading.timestamp }) !== readingText(reading)) {
      const second = reading.timestamp.slice(0, 19);
      throw invalidInput(
        'timestamp',
        `two readings of ${second} have different values, and a Pod holds one reading for each second`,
      );
    }
    wanted.set(url, earlier);
  }
  return wanted;
}

/** The stored one may have a heart rate or notes that the new one lacks. */
function holds({ reading, notes: stored }: StoredReading, asked: NewReading): boolean {
  const { systolic, diastolic, heartRate } = asked;
  const notes = asked.notes.trim();
  return (
    reading !== null &&
    reading.systolic === systolic &&
    reading.diastolic === diastolic &&
    (heartRate === null || reading.heart_rate === heartRate) &&
    (notes === '' || stored === notes)
  );
}
