import { parseReadings } from '../analysis/parse-readings.js';
import type { Reading } from '../analysis/reading.js';
import { mapConcurrently } from '../base/concurrency.js';
import { chunksOf } from '../base/lists.js';
import { isRecord, parseJson } from '../base/parse-json.js';
import { FolderKeys } from '../pod/folder-keys.js';
import { readResource } from '../pod/read-resource.js';
import { findResourceKeys } from '../pod/resource-keys.js';
import { writeEncryptedResources } from '../pod/write-encrypted-resource.js';
import { listContainer } from '../solid/documents/container.js';
import { type NewReading, readingText, requireValidReading } from './new-reading.js';
import type { OwnPod } from './own-pod.js';
import { workOn } from './translate-errors.js';

/** One reading of the user, in an encrypted file of its own. */
export interface StoredReading {
  url: string;
  /** Null when the file could not be read; `problem` says why. */
  reading: Reading | null;
  /** What the user wrote beside it; empty for nothing. */
  notes: string;
  problem: string;
}

export interface Added {
  added: string[];
  /** Addresses of readings that existed already and stay as they are. */
  alreadyThere: string[];
}

export interface ReadingOptions {
  onProgress?: ((done: number, all: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Keys are made in one change for each batch, which is small enough to show progress. */
const BATCH = 50;
const READ_AT_ONCE = 16;

export function readingsFolder({ pod }: OwnPod): string {
  return `${pod.documents.app}data/blood_pressure/`;
}

/** Where the reading of a moment is kept: one file for each second. */
export function readingAddress(ownPod: OwnPod, timestamp: string): string {
  const name = timestamp.slice(0, 19).replaceAll(':', '-');
  return `${readingsFolder(ownPod)}bp_${name}.json.enc.ttl`;
}

/** The addresses of the own readings. */
export function listReadings(ownPod: OwnPod, signal?: AbortSignal): Promise<string[]> {
  return workOn(ownPod, signal, async ({ client }) => {
    const members = (await listContainer(client, readingsFolder(ownPod))) ?? [];
    return members.filter((url) => url.endsWith('.enc.ttl'));
  });
}

/** Records readings; a single invalid one refuses them all before anything is written. */
export function addReadings(
  ownPod: OwnPod,
  readings: readonly NewReading[],
  { onProgress, signal }: ReadingOptions = {},
): Promise<Added> {
  return workOn(ownPod, signal, async ({ client, pod }) => {
    const valid = readings.map(requireValidReading);
    const taken = new Set(await listReadings(ownPod, signal));
    const contents: { url: string; content: string }[] = [];
    const alreadyThere: string[] = [];
    for (const reading of valid) {
      const url = readingAddress(ownPod, reading.timestamp);
      if (taken.has(url)) alreadyThere.push(url);
      else contents.push({ url, content: readingText(reading) });
      taken.add(url);
    }
    let done = 0;
    for (const batch of chunksOf(contents, BATCH)) {
      await writeEncryptedResources(client, pod, batch);
      done += batch.length;
      onProgress?.(done, contents.length);
    }
    return { added: contents.map(({ url }) => url), alreadyThere };
  });
}

/** Reads the own readings; a file that cannot be read comes with the reason. */
export function readReadings(
  ownPod: OwnPod,
  { onProgress, signal }: ReadingOptions = {},
): Promise<StoredReading[]> {
  return workOn(ownPod, signal, async ({ client, pod }) => {
    const folder = readingsFolder(ownPod);
    const urls = await listReadings(ownPod, signal);
    const keys = await findResourceKeys(client, pod, [folder, ...urls]);
    const keysOf = (url: string) => [keys.get(url) ?? []].flat();
    const ofFolder = { url: folder, keys: keysOf(folder), foreignKeys: [] };
    const folderKeys = new FolderKeys();
    let done = 0;
    return await mapConcurrently(urls, READ_AT_ONCE, async (url) => {
      const fileName = url.slice(folder.length);
      let notes = '';
      const outcome = await readResource(client, {
        url,
        isOwn: true,
        root: pod.root,
        keys: keysOf(url),
        foreignKeys: [],
        folder: ofFolder,
        folderKeys,
        parse: (text) => {
          notes = notesIn(text);
          return parseReadings(text, fileName);
        },
      });
      done += 1;
      onProgress?.(done, urls.length);
      if (outcome.kind === 'not read')
        return { url, reading: null, notes: '', problem: outcome.reason };
      const [reading = null] = outcome.read.readings;
      return {
        url,
        reading,
        notes,
        problem: reading === null ? 'it holds no complete reading' : '',
      };
    });
  });
}

/** The notes in a file of the app's form, or in an older file with everything at the top level. */
function notesIn(text: string): string {
  const file = parseJson(text);
  if (!isRecord(file)) return '';
  const { notes } = isRecord(file['responses']) ? file['responses'] : file;
  return typeof notes === 'string' ? notes.trim() : '';
}
