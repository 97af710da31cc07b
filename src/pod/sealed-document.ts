import { setTimeout } from 'node:timers/promises';
import { AnalyserError, ServerError } from '../base/errors.js';
import { putDocument } from '../solid/documents/write-document.js';
import { requireSuccess } from '../solid/require-success.js';
import type { SolidAnswer, SolidClient } from '../solid/solid-client.js';
import type { DocumentSeal } from './crypto/document-seal.js';

/**
 * A sealed document of the Pod that only the service reads and writes. A new version replaces
 * only the version that it was made from.
 */
export interface SealedDocument {
  url: string;
  seal: DocumentSeal;
}

export interface StoredVersion {
  /** The stored text; null when there is no such document. */
  sealed: string | null;
  /** Null when the document does not open. */
  text: string | null;
  etag: string | null;
  /** Whether another change could still get the same ETag, being within the same second. */
  isYoung: boolean;
}

const MOST_BYTES = 64 * 1024 * 1024;
/** Servers make the ETag from the time of a change in whole seconds. */
const ETAG_RESOLUTION_MS = 1000;

export async function readSealedDocument(
  client: SolidClient,
  { url, seal }: SealedDocument,
): Promise<StoredVersion> {
  const answer = await client.request(url, {
    // A compressed answer may carry another ETag.
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
 * Replaces the version that was read, and no other. Returns only when the new text is certainly
 * stored; after an error it may or may not be.
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
    if (error instanceof ServerError && error.failure === 'refused') {
      throw error.details.status === 412 ? changedMeanwhile(url, error) : error;
    }
    // The answer got lost, and perhaps the request too: reading the document tells which.
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

function changedMeanwhile(url: string, cause?: unknown): AnalyserError {
  return new AnalyserError(
    'server',
    `${url} was changed by another process at the same moment. Ask for another analysis.`,
    { cause },
  );
}
