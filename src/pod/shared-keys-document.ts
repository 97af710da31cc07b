import { extname } from 'node:path';
import { Piscina } from 'piscina';
import { AnalyserError } from '../base/errors.js';
import { requireSuccess } from '../solid/require-success.js';
import type { SolidClient } from '../solid/solid-client.js';
import type { Triple } from '../solid/sparql-update.js';
import { malformed } from './documents/facts.js';
import {
  type ScannedInbox,
  scanUsualShares,
  scanUsualStatements,
} from './documents/scan-shared-keys.js';
import {
  type Scanned,
  type ScanTask,
  scanSharedKeys,
} from './documents/scan-shared-keys-worker.js';

/** Generous: whoever fills an inbox must not make everybody in it drop out. */
const LARGEST_INBOX = 128 * 1024 * 1024;
/** More is parsed in a thread of its own. */
const SMALL = 64 * 1024;

const threads = new Piscina<ScanTask, Scanned>({
  filename: new URL(
    `./documents/scan-shared-keys-worker${extname(import.meta.url)}`,
    import.meta.url,
  ).href,
  name: 'scanSharedKeys',
  minThreads: 0,
  maxThreads: 1,
  idleTimeout: 5_000,
  env: {},
  // Far more than the largest inbox takes: the process outlives whatever is written into one.
  resourceLimits: { maxOldGenerationSizeMb: 1536 },
});

/** Null when nothing was ever shared with the Pod. */
export async function readShares(
  client: SolidClient,
  url: string,
  signal?: AbortSignal,
): Promise<ScannedInbox | null> {
  const scanned = await readInboxDocument(client, url, null, signal);
  return scanned !== null && 'shares' in scanned ? scanned : null;
}

/** All that is said about the subjects; null when there is no document yet. */
export async function readShareStatements(
  client: SolidClient,
  url: string,
  subjects: readonly string[],
  signal?: AbortSignal,
): Promise<Triple[] | null> {
  const scanned = await readInboxDocument(client, url, subjects, signal);
  return scanned !== null && 'statements' in scanned ? scanned.statements : null;
}

async function readInboxDocument(
  client: SolidClient,
  url: string,
  subjects: readonly string[] | null,
  signal?: AbortSignal,
): Promise<Scanned | null> {
  // As it is stored: asked to turn broken JSON-LD into Turtle, the Community Solid Server hangs.
  const headers = { accept: '*/*' };
  const answer = await client.request(url, { headers, maxBytes: LARGEST_INBOX, signal });
  if (answer.status === 404 || answer.status === 410) return null;
  const { body } = requireSuccess(answer, 'read');
  const scanned =
    (await scanUsual(body, answer.url, subjects, signal)) ??
    (await scan({ body, url: answer.url, subjects }, signal));
  if ('malformed' in scanned) throw new AnalyserError('malformed', scanned.malformed);
  return scanned;
}

async function scanUsual(
  body: Buffer,
  url: string,
  subjects: readonly string[] | null,
  signal?: AbortSignal,
): Promise<Scanned | null> {
  if (subjects === null) return scanUsualShares(body, url, signal);
  const statements = await scanUsualStatements(body, url, subjects, signal);
  return statements && { statements };
}

async function scan(task: ScanTask, signal?: AbortSignal): Promise<Scanned> {
  if (task.body.length <= SMALL) return scanSharedKeys(task);
  try {
    return await threads.run(task, { signal: signal ?? null });
  } catch (error) {
    signal?.throwIfAborted();
    if (codeOf(error) !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    throw malformed(task.url, 'reading it takes more memory than there is');
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
