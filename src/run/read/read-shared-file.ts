import { MOST_READINGS } from '../../analysis/pod-aggregator.js';
import {
  MOST_ENTRIES,
  type ParsedReadings,
  ReadingsParser,
} from '../../analysis/readings-parser.js';
import { FolderKeys } from '../../pod/folder-keys.js';
import type { Owner } from '../../pod/pod-of-resource.js';
import { readResource } from '../../pod/read-resource.js';
import { findForeignStorage } from '../../pod/storage-of-answer.js';
import type { SolidClient } from '../../solid/solid-client.js';
import type { FileProblem, SharedFile, Shares } from '../discover/shared-files.js';
import { throwIfStopped } from './by-server.js';
import type { CircuitBreaker } from './circuit-breaker.js';
import type { FileTrace, NotCounted } from './pod-result.js';

export interface FileOutcome {
  trace: FileTrace;
  /** Null for a file that does not count. */
  read: ParsedReadings | null;
  warning: string | null;
}

const problems: Record<FileProblem, [string, NotCounted]> = {
  'writable folder': [
    'others than its owner may write to its folder, or the Analyser may: grant it read access only',
    'read-only wanted',
  ],
  unlisted: [
    'it is not encrypted and is none of the files of readings of the shared folder',
    'unknown',
  ],
};

/** The bytes read of one Pod, ten times the readings of a lifetime. */
const MOST_BYTES = 128 * 1024 * 1024;

/** For files that no shared folder lists: anybody can name them in the inbox, so no folder key counts. */
const noFolderKeys = new FolderKeys(new Map());

/** The Pod of a file, as far as it has been read. */
interface PodSoFar {
  readonly owner: Owner;
  readonly isFull: boolean;
  bytes: number;
}

export type FileReader = (
  file: SharedFile,
  pod: PodSoFar,
  signal: AbortSignal,
) => Promise<FileOutcome>;

/** Step 4 for one file. Whatever is wrong with it is a warning, never the end of the analysis. */
export function createFileReader(
  client: SolidClient,
  shares: Pick<Shares, 'folderKeys'>,
  breaker: CircuitBreaker,
): FileReader {
  const folderKeys = new FolderKeys(shares.folderKeys);
  return async ({ url, keys, listedIn, isAnnounced, problem }, pod, signal) => {
    const { root } = pod.owner;
    const skip = (outcome: NotCounted, reason: string, cause = ''): FileOutcome => ({
      trace: { url, isAnnounced, outcome },
      read: null,
      warning: `${url}: ${reason} (file skipped)${cause}`,
    });
    if (pod.isFull) {
      return skip('unknown', `the files of this Pod hold more than ${MOST_READINGS} readings`);
    }
    if (problem !== null) {
      const [reason, outcome] = problems[problem];
      return skip(outcome, reason);
    }
    if (pod.bytes > MOST_BYTES) {
      return skip('unknown', `the files of this Pod have more than ${MOST_BYTES} bytes in all`);
    }
    if (breaker.isGone(url)) return skip('unanswered', 'its server gives no answers');
    try {
      const fileName = url.slice(url.lastIndexOf('/') + 1);
      const outcome = await readResource(client, {
        url,
        root,
        keys,
        folderKeys: listedIn === null ? noFolderKeys : folderKeys,
        createReader: () => new ReadingsParser({ fileName }),
        signal,
        onBody(bytes) {
          pod.bytes += bytes;
        },
        judgeHeaders: ({ link }) => findForeignStorage(link, url, pod.owner),
      });
      breaker.recordAnswer(url);
      if ('skipped' in outcome) {
        return skip(outcome.readOnlyWanted ? 'read-only wanted' : outcome.outcome, outcome.skipped);
      }
      const { read, openedBy } = outcome;
      const { key, folder } = openedBy ?? { key: null, folder: null };
      return {
        trace: { url, isAnnounced, outcome: 'read', key, folder },
        read,
        warning: read.isCut ? `${url}: only its first ${MOST_ENTRIES} entries were read` : null,
      };
    } catch (error) {
      throwIfStopped(signal);
      const { message } = breaker.recordFailure(error, url);
      return skip('unanswered', 'the storage server gave no answer', `: ${message}`);
    }
  };
}
