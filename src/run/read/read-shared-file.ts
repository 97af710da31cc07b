import {
  MOST_ENTRIES,
  type ParsedReadings,
  ReadingsParser,
} from '../../analysis/readings-parser.js';
import { type CandidateKey, FolderKeys } from '../../pod/folder-keys.js';
import type { Owner } from '../../pod/pod-of-resource.js';
import { type NotRead, readResource } from '../../pod/read-resource.js';
import { findForeignStorage } from '../../pod/storage-of-answer.js';
import type { SolidClient } from '../../solid/solid-client.js';
import type { FileProblem, SharedFile, Shares } from '../discover/shared-files.js';
import { throwIfStopped } from './by-server.js';
import type { CircuitBreaker } from './circuit-breaker.js';

export type FileOutcome =
  /** `openedBy` is null for a file that is not encrypted. */
  | { read: ParsedReadings; openedBy: CandidateKey | null; warning: string | null }
  | { skipped: string; outcome: NotRead; readOnlyWanted: boolean; isUnanswered: boolean };

const problems: Record<FileProblem, string> = {
  'writable folder':
    'others than its owner may write to its folder, or the Analyser may: grant it read access only',
  unlisted: 'it is not encrypted and is none of the files of readings of the shared folder',
};

/** The bytes read of one Pod, ten times the readings of a lifetime. */
const MOST_BYTES = 128 * 1024 * 1024;

/** For files that no shared folder lists: anybody can name them in the inbox, so no folder key counts. */
const noFolderKeys = new FolderKeys(new Map());

export type FileReader = (
  file: SharedFile,
  owner: Owner,
  signal: AbortSignal,
) => Promise<FileOutcome>;

/** Step 4 for one file. Whatever is wrong with it is a warning, never the end of the analysis. */
export function createFileReader(
  client: SolidClient,
  shares: Pick<Shares, 'folderKeys'>,
  breaker: CircuitBreaker,
): FileReader {
  const folderKeys = new FolderKeys(shares.folderKeys);
  /** Bytes received of each Pod. */
  const bytesOf = new Map<string, number>();
  return async ({ url, keys, listedIn, problem }, owner, signal) => {
    const { root } = owner;
    const fileName = url.slice(url.lastIndexOf('/') + 1);
    const createReader = () => new ReadingsParser({ fileName });
    const skip = (reason: string, why: { readOnlyWanted?: true; isUnanswered?: true } = {}) => ({
      skipped: `${url}: ${reason}`,
      outcome: 'unknown' as const,
      readOnlyWanted: false,
      isUnanswered: false,
      ...why,
    });
    if (problem === 'writable folder') {
      return skip(`${problems[problem]} (file skipped)`, { readOnlyWanted: true });
    }
    if (problem !== null) return skip(`${problems[problem]} (file skipped)`);
    if ((bytesOf.get(root) ?? 0) > MOST_BYTES) {
      return skip(`the files of this Pod have more than ${MOST_BYTES} bytes in all (file skipped)`);
    }
    if (breaker.isGone(url)) {
      return skip('its server gives no answers (file skipped)', { isUnanswered: true });
    }
    try {
      const usable = listedIn === null ? noFolderKeys : folderKeys;
      const onBody = (bytes: number) => bytesOf.set(root, (bytesOf.get(root) ?? 0) + bytes);
      const outcome = await readResource(client, {
        url,
        root,
        keys,
        folderKeys: usable,
        createReader,
        signal,
        onBody,
        judgeHeaders: ({ link }) => findForeignStorage(link, url, owner),
      });
      breaker.recordAnswer(url);
      if ('read' in outcome) {
        const cut = `${url}: only its first ${MOST_ENTRIES} entries were read`;
        return { ...outcome, warning: outcome.read.isCut ? cut : null };
      }
      const skipped = `${url}: ${outcome.skipped} (file skipped)`;
      return { ...outcome, skipped, isUnanswered: false };
    } catch (error) {
      throwIfStopped(signal);
      const { message } = breaker.recordFailure(error, url);
      return skip(`the storage server gave no answer (file skipped): ${message}`, {
        isUnanswered: true,
      });
    }
  };
}
