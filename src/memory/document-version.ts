import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { isUnanswered, ServerError } from '../base/errors.js';
import { putDocument, type WriteCondition } from '../solid/documents/write-document.js';
import { isAbsent, requireSuccess } from '../solid/require-success.js';
import type { SolidClient } from '../solid/solid-client.js';

interface DocumentAddress {
  url: string;
  maxBytes: number;
}

/** One version of a document that only the Analyser writes. */
export interface DocumentVersion {
  /** Of the body; null when there is no document. */
  digest: string | null;
  /** Null where the server gives none that a condition can use. */
  etag: string | null;
  /** Whether the next version could still get the same ETag. */
  isYoung: boolean;
  /** By the clock of `performance.now`. */
  readAt: number;
}

type Replaced =
  | { kind: 'written'; version: DocumentVersion; isGuarded: boolean }
  /** Somebody else wrote since. */
  | { kind: 'changed' }
  | { kind: 'refused'; reason: string };

/** What is written; it says whether the server replaces only the version it is told to. */
type BodyFor = (isGuarded: boolean) => string;

/** No document has this ETag, so a server that heeds conditions answers 412. */
const NO_VERSION = '"no version has this tag"';

/**
 * Always asks for the whole document: the Community Solid Server gives its 304 a Content-Length,
 * which the HTTP client takes for a broken answer. The body is null when there is no document.
 */
export async function readVersion(
  client: SolidClient,
  { url, maxBytes }: DocumentAddress,
): Promise<{ version: DocumentVersion; body: Buffer | null }> {
  const answer = await client.request(url, {
    // A compressed answer may carry another ETag.
    headers: { accept: 'text/plain', 'accept-encoding': 'identity' },
    maxBytes,
  });
  const readAt = performance.now();
  if (isAbsent(answer)) {
    return { version: { digest: null, etag: null, isYoung: false, readAt }, body: null };
  }
  const { body, headers } = requireSuccess(answer, 'read');
  const etag = headers['etag'] ?? null;
  const version = {
    digest: digestOf(body),
    etag: etag?.startsWith('W/') ? null : etag,
    isYoung: isYoung(headers),
    readAt,
  };
  return { version, body };
}

/**
 * Replaces the version that was read, and no other, where the server lets us say so. Rejects when
 * the server gives no answer: the new version may be stored then, or not.
 *
 * Unless this server is known to heed conditions (`isGuarded`), that is found out by a write that
 * must fail; a server that makes it all the same has then stored what it should.
 */
export async function replaceVersion(
  client: SolidClient,
  document: DocumentAddress,
  before: DocumentVersion,
  { bodyFor, isGuarded }: { bodyFor: BodyFor; isGuarded: boolean },
): Promise<Replaced> {
  const isNew = before.digest === null;
  let now = before;
  if (before.isYoung || !isGuarded || (!isNew && before.etag === null)) {
    now = await lookAgain(client, document, before);
    if (now.digest !== before.digest) return { kind: 'changed' };
  }
  const put = (guarded: boolean, replaces: DocumentVersion, condition: WriteCondition) => {
    const content = { body: bodyFor(guarded), replaces, isGuarded: guarded };
    // The client itself repeats what has no condition; a condition that must fail needs no second try.
    return putVersion(client, document, content, condition, guarded ? 2 : 1);
  };
  const putAnyway = (replaces: DocumentVersion) =>
    put(false, replaces, { ifMatch: NO_VERSION }).catch((error: unknown): Replaced => {
      // A refusal that comes before the end of a large body can break the connection.
      if (isUnanswered(error)) return { kind: 'changed' };
      throw error;
    });
  if (isNew) {
    const created = await put(true, now, { ifAbsent: true });
    if (created.kind !== 'written') return created;
    // Only now, since the Community Solid Server lets any If-Match create a document.
    const tried = await putAnyway(created.version);
    return tried.kind === 'written' ? tried : created;
  }
  if (now.etag === null) return await put(false, now, {});
  if (!isGuarded) {
    const tried = await putAnyway(now);
    if (tried.kind === 'written') return tried;
  }
  return await put(true, now, { ifMatch: now.etag });
}

/** The version as it is once another change would show in its ETag. */
async function lookAgain(
  client: SolidClient,
  document: DocumentAddress,
  { isYoung, readAt }: DocumentVersion,
): Promise<DocumentVersion> {
  const wait = isYoung ? readAt + 1.5 * ETAG_RESOLUTION_MS - performance.now() : 0;
  if (wait > 0) await setTimeout(wait);
  return (await readVersion(client, document)).version;
}

async function putVersion(
  client: SolidClient,
  document: DocumentAddress,
  content: { body: string; replaces: DocumentVersion; isGuarded: boolean },
  condition: WriteCondition,
  tries: number,
): Promise<Replaced> {
  const { body, replaces, isGuarded } = content;
  const digest = digestOf(body);
  const written: Replaced = {
    kind: 'written',
    isGuarded,
    version: { digest, etag: null, isYoung: true, readAt: performance.now() },
  };
  try {
    await putDocument(client, document.url, body, { contentType: 'text/plain', ...condition });
    return written;
  } catch (error) {
    if (error instanceof ServerError && error.failure === 'refused') {
      if (error.details.status === 412) return { kind: 'changed' };
      return { kind: 'refused', reason: error.message };
    }
    if (!isUnanswered(error)) throw error;
    // The answer got lost, and perhaps the request too: reading the document tells which.
    const { version } = await readVersion(client, document);
    if (version.digest === digest) return written;
    if (version.digest !== replaces.digest) return { kind: 'changed' };
    // A server closes connections that nobody used for a while, as while a large memory was sealed.
    if (tries > 1) return await putVersion(client, document, content, condition, tries - 1);
    throw error;
  }
}

function digestOf(body: string | Uint8Array): string {
  return createHash('sha256').update(body).digest('base64');
}

/** Many servers make the ETag from the time of the last change, in whole seconds. */
const ETAG_RESOLUTION_MS = 1000;

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Whether the next change could still get the same ETag: it holds the time of the last change, in
 * seconds or milliseconds, decimal or hexadecimal, and that was just now by the server's clock.
 */
export function isYoung(headers: Readonly<Record<string, string>>): boolean {
  const date = Date.parse(headers['date'] ?? '');
  const now = Number.isNaN(date) ? Date.now() : date;
  const isRecent = (time: number) => time > now - 2 * ETAG_RESOLUTION_MS && time < now + DAY_MS;
  const runs = (headers['etag'] ?? '').match(/[0-9a-f]{8,}/gi) ?? [];
  return runs
    .flatMap((run) => [Number(run), Number.parseInt(run, 16)])
    .some((value) => isRecent(value) || isRecent(value * 1000));
}
