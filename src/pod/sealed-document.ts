import { setTimeout } from 'node:timers/promises';
import { AnalyserError, ServerError } from '../base/errors.js';
import { putDocument } from '../solid/documents/write-document.js';
import { requireSuccess } from '../solid/require-success.js';
import type { SolidAnswer, SolidClient } from '../solid/solid-client.js';
import type { DocumentSeal } from './crypto/document-seal.js';

/**
 * A document of the Pod that only the service reads and writes: text under a seal, and each
 * version only in the place of the one that it was made from.
 */
export interface SealedDocument {
  url: string;
  seal: DocumentSeal;
}

export interface StoredVersion {
  /** As it lies there; null: there is no such document. */
  sealed: string | null;
  /** Null when it does not open. */
  text: string | null;
  etag: string | null;
  /** A change within the same second would bear the same ETag. */
  isYoung: boolean;
}

const MOST_BYTES = 64 * 1024 * 1024;
/** Servers keep the time of a change in whole seconds, and make the ETag from it. */
const ETAG_RESOLUTION_MS = 1000;

export async function readSealedDocument(
  client: SolidClient,
  { url, seal }: SealedDocument,
): Promise<StoredVersion> {
  const answer = await client.request(url, {
    // A compressed answer may bear another ETag.
    headers: { accept: 'text/plain', 'accept-encoding': 'identity' },
    maxBytes: MOST_BYTES,
  });
  if (answer.status === 404 || answer.status === 410) {
    return { sealed: null, text: null, etag: null, isYoung: false };
  }
  const sealed = requireSuccess(answer, 'read').body.toString('latin1');
  const etag = answer.headers['etag'] ?? null;
  return { sealed, text: seal.open(sealed, url), etag, isYoung: isYoung(answer) };
}

/**
 * Puts a text in the place of the version that was read, and of no other. Returns only when it
 * is certain that it lies there; after an error it may or may not.
 */
export async function replaceSealedDocument(
  client: SolidClient,
  document: SealedDocument,
  before: StoredVersion,
  text: string,
): Promise<void> {
  const { url, seal } = document;
  const condition = await conditionFor(client, document, before);
  const sealed = seal.seal(text, url);
  try {
    await putDocument(client, url, sealed, { contentType: 'text/plain', ...condition });
  } catch (error) {
    if (error instanceof ServerError && error.failure === 'refused') throw explain(error, url);
    // The answer got lost, and perhaps the request: what lies there says which.
    const now = await readSealedDocument(client, document);
    if (now.sealed !== sealed) throw error;
  }
}

async function conditionFor(
  client: SolidClient,
  document: SealedDocument,
  before: StoredVersion,
): Promise<{ ifMatch: string } | { ifAbsent: true }> {
  if (before.sealed === null) return { ifAbsent: true };
  let { etag } = before;
  if (before.isYoung) {
    await setTimeout(ETAG_RESOLUTION_MS * 1.5);
    const now = await readSealedDocument(client, document);
    if (now.sealed !== before.sealed) throw changedMeanwhile(document.url);
    etag = now.etag;
  }
  if (etag !== null) return { ifMatch: etag };
  throw new AnalyserError(
    'server',
    `The storage server gives no ETag for ${document.url}, so it cannot be changed safely: sharing.cohort_release does not work with this server.`,
  );
}

function isYoung({ headers }: SolidAnswer): boolean {
  const [modified, date] = [headers['last-modified'], headers['date']];
  if (modified === undefined || date === undefined) return false;
  return Date.parse(date) - Date.parse(modified) < 2 * ETAG_RESOLUTION_MS;
}

function explain(error: ServerError, url: string): AnalyserError {
  return error.details.status === 412 ? changedMeanwhile(url, error) : error;
}

function changedMeanwhile(url: string, cause?: unknown): AnalyserError {
  return new AnalyserError(
    'server',
    `${url} was changed by another process at the same moment. Ask for another analysis.`,
    { cause },
  );
}
