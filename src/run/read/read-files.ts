import { parseReadings } from '../../analysis/parse-readings.js';
import { type AnalysisRules, sumReadings } from '../../analysis/sums.js';
import { mapConcurrently } from '../../base/concurrency.js';
import { getOrAdd } from '../../base/lists.js';
import { findForeignStorage, openTo } from '../../pod/answer-headers.js';
import { FolderKeys } from '../../pod/folder-keys.js';
import { isFor, isNotRead, type NotRead, notAsked, notRead } from '../../pod/outcome.js';
import { fetchResource, readResource, refusal } from '../../pod/read-resource.js';
import type { PodAccess } from '../../pod/unlock-pod.js';
import { isSuccess } from '../../solid/documents.js';
import { isSpared } from '../../solid/in-hand.js';
import type { SolidAnswer } from '../../solid/solid-client.js';
import type { FileOutcome } from '../table/row.js';
import { PodAsker } from './ask-pod.js';
import type { AskingFiles, FileToRead, PartReader } from './read-task.js';

/** When so many readings of one Pod were read, nothing more of it is asked for: ten a day for forty years. */
const MOST_READINGS_OF_POD = 150_000;
/** Ten times the readings of a lifetime. */
const MOST_BYTES_OF_POD = 128 * 1024 * 1024;

interface PodSoFar {
  bytes: number;
  items: number;
  folderKeys: FolderKeys;
}

const nothingYet = (): PodSoFar => ({ bytes: 0, items: 0, folderKeys: new FolderKeys() });

/** Reads files in this process. Lives for one analysis, and counts how much of each Pod this process has read. */
export class FilesReader implements PartReader {
  readonly #pods = new Map<string, PodSoFar>();

  constructor(
    private readonly connection: Pick<PodAccess, 'client'>,
    private readonly rules: AnalysisRules,
    private readonly asker = new PodAsker(),
  ) {}

  filesPerPart(): number {
    return 1;
  }

  readPart(files: readonly FileToRead[], asking: AskingFiles): Promise<FileOutcome[]> {
    return mapConcurrently(files, asking.atOnce, (file) => this.#readFile(file, asking));
  }

  /** A fault of a file becomes its outcome, and never ends the analysis; a Cancel is thrown on. */
  async #readFile(file: FileToRead, asking: AskingFiles): Promise<FileOutcome> {
    const { url, keys, folder, isKnown, isServed } = file;
    const { root } = file.owner;
    const { deadline } = asking;
    const pod = getOrAdd(this.#pods, root, nothingYet);
    const full = findFull(pod);
    if (full !== null && !asking.isAgain) return full;
    // A file that was being read when the thread ended may have taken all its memory: it is left out once.
    if (isSpared(url)) return notRead('not asked', 'it was being read when the thread ended');
    const ask = (maxBytes?: number) =>
      this.asker.ask({ root, isKnown, ...asking }, (how) =>
        fetchResource(this.connection.client, url, how, maxBytes),
      );
    if (full !== null) return onlyRefused(await ask(0)) ?? full;
    const answer = await ask();
    if (isNotRead(answer)) return answer;
    if (!isSuccess(answer)) return refusal(answer.status);
    pod.bytes += answer.body.length;
    const resource = {
      root,
      keys,
      folder,
      folderKeys: pod.folderKeys,
      parseText: (text: string) => parseReadings(text, url.slice(url.lastIndexOf('/') + 1)),
    };
    const found =
      findObjection(answer, file) ??
      (await readResource(answer, resource, deadline.signal).catch((error: unknown) => {
        if (deadline.isOverOrThrow()) return notAsked;
        throw error;
      }));
    if (found.kind === 'not read') return found;
    const { read, key, keyFrom } = found;
    pod.items += read.readings.length + read.incomplete;
    const { sums, readings } = sumReadings(read, this.rules);
    return { kind: 'read', key, keyFrom, sums, readings: isServed ? readings : [] };
  }
}

/** Of a file that is asked for without room for it: what is larger than nothing was given. */
function onlyRefused(answer: SolidAnswer | NotRead): NotRead | null {
  if (isNotRead(answer)) return isFor(answer, 'too large') ? null : answer;
  return isSuccess(answer) ? null : refusal(answer.status);
}

function findFull({ bytes, items }: PodSoFar): NotRead | null {
  if (items >= MOST_READINGS_OF_POD) {
    return notRead(
      'not asked',
      `the files of this Pod hold ${MOST_READINGS_OF_POD} readings or more`,
    );
  }
  return bytes > MOST_BYTES_OF_POD
    ? notRead('not asked', `the files of this Pod have more than ${MOST_BYTES_OF_POD} bytes in all`)
    : null;
}

function findObjection(
  { headers }: SolidAnswer,
  { url, owner, isNamed }: FileToRead,
): NotRead | null {
  if (!isNamed && openTo(headers['wac-allow']) === 'everybody') {
    return notRead('published', 'everybody may read it, and no entry names it any more');
  }
  const foreign = findForeignStorage(headers['link'], url, owner);
  return foreign === null ? null : notRead('other answer', foreign);
}
