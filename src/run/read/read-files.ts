import { MOST_ENTRIES, type ParsedReadings, parseReadings } from '../../analysis/parse-readings.js';
import { type AnalysisRules, PodAggregator } from '../../analysis/pod-aggregate.js';
import { mapConcurrently } from '../../base/concurrency.js';
import type { Fate } from '../../memory/fate.js';
import { FolderKeys } from '../../pod/folder-keys.js';
import type { Owner } from '../../pod/pod-of-resource.js';
import { type OpenTo, openTo } from '../../pod/public-access.js';
import { readResource, type Skipped } from '../../pod/read-resource.js';
import { findForeignStorage } from '../../pod/storage-of-answer.js';
import type { SolidAnswer } from '../../solid/solid-client.js';
import type { PodAccess } from '../connection.js';
import { PodAsker } from './ask-pod.js';
import {
  type AskingRules,
  type Callers,
  type FileReading,
  type FileToRead,
  isServed,
  type PodSlice,
  type ReadSlices,
} from './read-task.js';

/** Readings of one Pod: forty years of ten a day. */
const MOST_READINGS = 150_000;
/** The bytes read of one Pod, ten times the readings of a lifetime. */
const MOST_BYTES = 128 * 1024 * 1024;

/** How much of a Pod was read. */
interface PodSoFar {
  bytes: number;
  entries: number;
  folderKeys: FolderKeys;
}

export interface ReaderOptions {
  rules: AnalysisRules;
  callers: Callers;
  /** Aborts with the analysis. */
  signal: AbortSignal;
}

/** Reads files in this process and knows, for one analysis, how it went with each Pod. */
export class FilesReader {
  readonly #pods = new Map<string, PodSoFar>();

  constructor(
    private readonly connection: PodAccess,
    private readonly options: ReaderOptions,
    private readonly asker = new PodAsker(connection, options.signal),
  ) {}

  /** Each file is summed up as it comes in and not kept, and few slices are open at once. */
  readonly readSlices: ReadSlices = async (slices, asking, onRead) => {
    const { rules, callers } = this.options;
    function* filesOf() {
      for (const slice of slices) {
        const keepsReadings = isServed(callers, slice.owner.webId);
        const sums = new PodAggregator({ rules, keepsReadings });
        const files: FileReading[] = [];
        const open = { slice, sums, files, toCome: slice.files.length };
        for (const [index, file] of slice.files.entries()) yield { file, index, open };
      }
    }
    await mapConcurrently(filesOf(), asking.atOnce, async ({ file, index, open }) => {
      const { slice, sums } = open;
      const { reading, parsed } = await this.#readFile(file, slice, asking);
      if (parsed !== null) sums.add(parsed);
      open.files[index] = reading;
      open.toCome -= 1;
      if (open.toCome === 0) onRead(slice, { files: open.files, ...sums.end() });
    });
  };

  /** Whatever is wrong with a file is its fate, never the end of the analysis. */
  async #readFile(file: FileToRead, slice: PodSlice, asking: AskingRules): Promise<ReadFile> {
    const { url, keys, foreignKeys, listedIn, plainObjection } = file;
    const { root } = slice.owner;
    const pod = this.#podAt(root);
    const full = findFull(pod);
    if (full !== null) return skip(url, full);
    let allowed: string | undefined;
    const judge = (answer: SolidAnswer) => {
      pod.bytes += answer.body.length;
      // What is refused says nothing of whom a file is open to.
      if (answer.status < 300) allowed = answer.headers['wac-allow'];
      return findObjection(answer, file, slice.owner);
    };
    const given = await this.asker.ask(root, asking.signal, () =>
      readResource(this.connection.client, {
        url,
        root,
        keys,
        foreignKeys,
        plainObjection,
        folder: listedIn === null ? null : (slice.folders.get(listedIn) ?? null),
        folderKeys: pod.folderKeys,
        parse: (text) => parseReadings(text, url.slice(url.lastIndexOf('/') + 1)),
        signal: asking.signal,
        tries: triesOf(asking),
        judge,
      }),
    );
    if ('fate' in given) {
      const { fate, reason, cause } = given;
      const warning = `${url}: ${reason} (file skipped)${cause && `: ${cause}`}`;
      return { reading: { fate, openTo: 'unknown', warning, readOnlyWanted: false }, parsed: null };
    }
    const { answer } = given;
    if ('skipped' in answer) return skip(url, answer, openTo(allowed));
    const { read, openedBy } = answer;
    pod.entries += read.readings.length + read.incomplete;
    const { key, folder } = openedBy ?? { key: null, folder: null };
    const warning = read.isCut ? `${url}: only its first ${MOST_ENTRIES} entries were read` : null;
    const fate: Fate = { kind: 'read', key, folder };
    return {
      reading: { fate, openTo: openTo(allowed), warning, readOnlyWanted: false },
      parsed: read,
    };
  }

  #podAt(root: string): PodSoFar {
    let pod = this.#pods.get(root);
    if (pod === undefined) {
      pod = { bytes: 0, entries: 0, folderKeys: new FolderKeys() };
      this.#pods.set(root, pod);
    }
    return pod;
  }
}

interface ReadFile {
  reading: FileReading;
  /** Null for a file that does not count. */
  parsed: ParsedReadings | null;
}

/** How often a file is asked for that gives no answer; undefined leaves it to the client. */
export function triesOf({ retriesUntil }: AskingRules): number | undefined {
  return Date.now() < retriesUntil ? undefined : 1;
}

function findFull({ bytes, entries }: PodSoFar): Skipped | null {
  const because = 'others';
  if (entries >= MOST_READINGS) {
    return { skipped: `the files of this Pod hold more than ${MOST_READINGS} readings`, because };
  }
  if (bytes > MOST_BYTES) {
    return { skipped: `the files of this Pod have more than ${MOST_BYTES} bytes in all`, because };
  }
  return null;
}

function findObjection(
  { headers }: SolidAnswer,
  { url, mayHaveEntry, objection }: FileToRead,
  owner: Owner,
): Skipped | null {
  if (!mayHaveEntry && openTo(headers['wac-allow']) === 'everybody') {
    return { skipped: 'everybody may read it, and no entry names it any more', because: 'public' };
  }
  const foreign = findForeignStorage(headers['link'], url, owner);
  return foreign === null ? objection : { skipped: foreign, because: 'answer' };
}

function skip(url: string, skipped: Skipped, to: OpenTo = 'unknown'): ReadFile {
  const warning = `${url}: ${skipped.skipped} (file skipped)`;
  const { readOnlyWanted = false } = skipped;
  return { reading: { fate: fateOf(skipped), openTo: to, warning, readOnlyWanted }, parsed: null };
}

function fateOf({ because, key }: Skipped): Fate {
  switch (because) {
    case 'refusal':
    case 'key':
    case 'public':
      return { kind: 'ended', by: because };
    case 'size':
    case 'plain':
    case 'cipher':
    case 'answer':
      return { kind: 'missing', because };
    case 'others':
      return { kind: 'missing', because, ...(key && { key }) };
  }
}
