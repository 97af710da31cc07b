import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { Piscina } from 'piscina';
import { createBreather } from '../base/breathe.js';
import { AnalyserError } from '../base/errors.js';
import { releaseBody } from '../solid/answer-reader.js';
import { requireSuccess } from '../solid/require-success.js';
import type { SolidClient } from '../solid/solid-client.js';
import type { Triple } from '../solid/sparql-update.js';
import { malformed } from './documents/facts.js';
import { scanUsualStatements } from './documents/scan-shared-keys.js';
import {
  type Scanned,
  type ScanTask,
  scanSharedKeys,
} from './documents/scan-shared-keys-worker.js';
import { entriesOf, type SealedEntries, scanUsualEntries } from './documents/sealed-entries.js';

/** Generous: whoever fills an inbox must not make everybody in it drop out. */
const LARGEST_INBOX = 128 * 1024 * 1024;
/** More is parsed in a thread of its own. */
const SMALL = 64 * 1024;
/** What is digested without a pause. */
const PIECE = 1 << 20;

const worker = new URL(
  `./documents/scan-shared-keys-worker${extname(import.meta.url)}`,
  import.meta.url,
).href;

const threads = new Piscina<ScanTask, Scanned>({
  minThreads: 0,
  maxThreads: 1,
  idleTimeout: 5_000,
  env: {},
  // Far more than the largest inbox takes: the process outlives whatever is written into one.
  resourceLimits: { maxOldGenerationSizeMb: 1536 },
});
// A thread that dies between two tasks would take the process along.
threads.on('error', () => undefined);

const nothing = { shares: [], useless: [], damage: null };

export interface SharesDocument {
  /** The same for the same bytes, whatever the server says of them. */
  fingerprint: string;
  scan(): Promise<SealedEntries>;
  /** When nothing of it will be read again. */
  release(): void;
}

/** Null when nothing was ever shared with the Pod. */
export async function fetchShares(
  client: SolidClient,
  url: string,
  signal?: AbortSignal,
): Promise<SharesDocument | null> {
  const fetched = await fetchDocument(client, url, signal);
  return (
    fetched && {
      fingerprint: await takeFingerprint(fetched.body, signal),
      async scan() {
        const { body, url: place } = fetched;
        const usual = await scanUsualEntries(body, place, signal);
        if (usual !== null) return usual;
        const scanned = await scanFully({ body, url: place, subjects: null }, signal);
        return entriesOf('shares' in scanned ? scanned : nothing);
      },
      release: () => releaseBody(fetched.body),
    }
  );
}

async function takeFingerprint(body: Buffer, signal?: AbortSignal): Promise<string> {
  const breathe = createBreather(signal);
  const digest = createHash('sha256');
  for (let start = 0; start < body.length; start += PIECE) {
    await breathe();
    digest.update(body.subarray(start, start + PIECE));
  }
  return digest.digest('base64');
}

/** All that is said about the subjects; null when there is no document yet. */
export async function readShareStatements(
  client: SolidClient,
  url: string,
  subjects: readonly string[],
  signal?: AbortSignal,
): Promise<Triple[] | null> {
  const fetched = await fetchDocument(client, url, signal);
  if (fetched === null) return null;
  const { body, url: place } = fetched;
  const usual = await scanUsualStatements(body, place, subjects, signal);
  if (usual !== null) return usual;
  const scanned = await scanFully({ body, url: place, subjects }, signal);
  return 'statements' in scanned ? scanned.statements : null;
}

interface Fetched {
  body: Buffer;
  url: string;
}

async function fetchDocument(
  client: SolidClient,
  url: string,
  signal?: AbortSignal,
): Promise<Fetched | null> {
  // As it is stored: asked to turn broken JSON-LD into Turtle, the Community Solid Server hangs.
  const headers = { accept: '*/*' };
  const answer = await client.request(url, { headers, maxBytes: LARGEST_INBOX, signal });
  if (answer.status === 404 || answer.status === 410) return null;
  return { body: requireSuccess(answer, 'read').body, url: answer.url };
}

async function scanFully(
  task: ScanTask,
  signal?: AbortSignal,
): Promise<Exclude<Scanned, { malformed: string }>> {
  const scanned = await scan(task, signal);
  if ('malformed' in scanned) throw new AnalyserError('malformed', scanned.malformed);
  return scanned;
}

async function scan(task: ScanTask, signal?: AbortSignal): Promise<Scanned> {
  if (task.body.length <= SMALL) return scanSharedKeys(task);
  try {
    // Named here and not for the pool, a file that cannot be loaded fails this task alone.
    const options = { filename: worker, name: 'scanSharedKeys', signal: signal ?? null };
    return await threads.run(task, options);
  } catch (error) {
    signal?.throwIfAborted();
    if (codeOf(error) !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    throw malformed(task.url, 'reading it takes more memory than there is');
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
