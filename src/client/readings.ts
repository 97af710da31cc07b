import { parseReadings } from '../analysis/parse-readings.js';
import type { Reading } from '../analysis/reading.js';
import { mapConcurrently } from '../base/concurrency.js';
import { AnalyserError, isUnanswered } from '../base/errors.js';
import { isRecord, parseJson } from '../base/parse-json.js';
import { openResource } from '../pod/formats/encrypted-resource.js';
import { findResourceKeys } from '../pod/resource-keys.js';
import { listContainer, requireSuccess } from '../solid/documents.js';
import type { SolidClient } from '../solid/solid-client.js';
import { parseTimestamp } from './new-reading.js';
import type { OwnPod } from './own-pod.js';
import { workOn } from './translate-errors.js';

/** One reading of the user. Apps write each into an encrypted file of its own. */
export interface StoredReading {
  /** The address of the reading's file. If a file holds a list, its readings have the same address. */
  url: string;
  /** Null when the file could not be read; `problem` says why. */
  reading: Reading | null;
  /** The user's notes on the reading; empty if there are none. */
  notes: string;
  problem: string;
}

export interface ReadingOptions {
  onProgress?: ((done: number, all: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

const READ_AT_ONCE = 16;

export function readingsFolder({ pod }: OwnPod): string {
  return `${pod.documents.app}data/blood_pressure/`;
}

/** The address of the reading with this time; there is one file for each second. */
export function readingAddress(ownPod: OwnPod, timestamp: string): string {
  const name = parseTimestamp(timestamp).slice(0, 19).replaceAll(':', '-');
  return `${readingsFolder(ownPod)}bp_${name}.json.enc.ttl`;
}

export function listReadings(ownPod: OwnPod, signal?: AbortSignal): Promise<string[]> {
  return workOn(ownPod, signal, async ({ client }) => {
    const members = (await listContainer(client, readingsFolder(ownPod))) ?? [];
    return members.filter((url) => url.endsWith('.enc.ttl'));
  });
}

/** Reads the own readings; a file that cannot be read comes with the reason. */
export function readReadings(
  ownPod: OwnPod,
  { onProgress, signal }: ReadingOptions = {},
): Promise<StoredReading[]> {
  return workOn(ownPod, signal, async (ownPod) => {
    const urls = await listReadings(ownPod, signal);
    let done = 0;
    return await readFiles(ownPod, urls, () => {
      done += 1;
      onProgress?.(done, urls.length);
    });
  });
}

/** A list in a file becomes several readings. `onRead` is called for each file. */
export async function readFiles(
  ownPod: OwnPod,
  urls: readonly string[],
  onRead: (files: number) => void,
): Promise<StoredReading[]> {
  if (urls.length === 0) return [];
  const { client, pod } = ownPod;
  const folder = readingsFolder(ownPod);
  const keys = await findResourceKeys(client, pod, [folder, ...urls]);
  const files = await mapConcurrently(urls, READ_AT_ONCE, async (url) => {
    const own = [keys.get(url), keys.get(folder)].filter((key) => key !== undefined);
    const readings = await readFile(client, url, own);
    onRead(1);
    return readings;
  });
  return files.flat();
}

async function readFile(
  client: SolidClient,
  url: string,
  keys: readonly Buffer[],
): Promise<StoredReading[]> {
  const unread = (problem: string) => [{ url, reading: null, notes: '', problem }];
  try {
    const { body } = requireSuccess(await client.request(url), 'read');
    // An app that shares a file with everybody writes it in plain.
    const isPlain = parseJson(body) !== undefined;
    const text = isPlain
      ? body.toString()
      : (await openResource(body, url, keys, client.signal))?.text;
    if (text === undefined) return unread('could not be decrypted');
    const { readings, incomplete } =
      parseReadings(text, url.slice(url.lastIndexOf('/') + 1)) ?? nothing;
    if (readings.length === 0) return unread('it holds no complete reading');
    const notes = notesIn(text);
    // Incomplete items are left out of `readings` but not of `notes`, so the indices no longer match.
    const notesOf = (index: number) => (incomplete === 0 ? (notes[index] ?? '') : '');
    return readings.map((reading, index) => ({ url, reading, notes: notesOf(index), problem: '' }));
  } catch (error) {
    const isOfFile =
      error instanceof AnalyserError && error.kind !== 'cancelled' && !isUnanswered(error);
    if (!isOfFile) throw error;
    return unread(error.message);
  }
}

const nothing = { readings: [], incomplete: 0 };

/** The notes of each item. The app writes them below `responses`; older files have them at the top level. */
function notesIn(text: string): string[] {
  return [parseJson(text)].flat().map((item) => {
    if (!isRecord(item)) return '';
    const { notes } = isRecord(item['responses']) ? item['responses'] : item;
    return typeof notes === 'string' ? notes.trim() : '';
  });
}
