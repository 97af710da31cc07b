import { setImmediate } from 'node:timers/promises';
import { ConcurrencyLimit } from '../base/concurrency-limit.js';
import { AnalyserError, ServerError } from '../base/errors.js';
import type { SolidAnswer, SolidClient } from '../solid/solid-client.js';
import {
  couldOpen,
  cutIntoPieces,
  decodeContent,
  decodePieces,
  decryptPieces,
} from './crypto/content-cipher.js';
import { type EncryptedResource, parseEncryptedResource } from './documents/encrypted-resource.js';
import type { CandidateKey, FolderKeys } from './folder-keys.js';
import { findOwnershipDoubt } from './public-access.js';

/** Takes a text piece by piece. */
export interface TextReader<T> {
  /** Returns false when it has seen enough. */
  push(text: string): boolean;
  /** Null when the text is not of the expected form. */
  end(): T | null;
}

export interface ResourceRequest<T> {
  /** Canonical. */
  url: string;
  /** The root of the Pod that the resource lies in. */
  root: string;
  /** Keys shared for the file itself, in the order in which they are tried. */
  keys: readonly Buffer[];
  /** Keys of folders, for files that use one. */
  folderKeys: FolderKeys;
  /**
   * Called for each key that seems to open the file. A wrong key can leave a valid padding by
   * chance, and wrong keys can be planted, so only text of the expected form is taken.
   */
  createReader: () => TextReader<T>;
  /** Its owner reads it, and so may also write to it. */
  isOwn?: boolean;
  signal?: AbortSignal | undefined;
  maxBytes?: number;
  /** Called with the size of the body that the server sent. */
  onBody?: (bytes: number) => void;
  /** Judges the headers of the answer: why the file does not count, or null when it does. */
  judgeHeaders?: (headers: Readonly<Record<string, string>>) => string | null;
}

export type ResourceOutcome<T> =
  /** `openedBy` is null for a file that is not encrypted. */
  | { read: T; openedBy: CandidateKey | null }
  /** `skipped` is the reason, completing a sentence that begins with the address. */
  | Skipped;

/**
 * `refused`: the server does not hand the file over. `unopened`: it is there, but no key opens
 * it. `unknown`: neither is certain, as with the page of a proxy in its place.
 */
export type NotRead = 'refused' | 'unopened' | 'unknown';

interface Skipped {
  skipped: string;
  outcome: NotRead;
  /** The file does not count because the Analyser may do more than read it. */
  readOnlyWanted: boolean;
}

const LARGEST_RESOURCE = 16 * 1024 * 1024;
/** One at a time: the text, base64 and readings of a large file take several times its size. */
const decoding = new ConcurrencyLimit(1);
/** Other work gets a turn in between, as strangers can share any number of keys for a file. */
const KEYS_BETWEEN_PAUSES = 1_000;

/**
 * Fetches and decrypts one shared resource. Whatever is wrong with it is an outcome; only a server
 * without an answer, a refused login and an abort reject.
 */
export async function readResource<T>(
  client: SolidClient,
  request: ResourceRequest<T>,
): Promise<ResourceOutcome<T>> {
  const answer = await fetchResource(client, request);
  if ('skipped' in answer) return answer;
  try {
    return await readAnswer(answer, request);
  } finally {
    answer.release?.();
  }
}

async function readAnswer<T>(
  answer: SolidAnswer,
  request: ResourceRequest<T>,
): Promise<ResourceOutcome<T>> {
  const objection = request.judgeHeaders?.(answer.headers) ?? null;
  if (objection !== null) return skip(objection);
  const encrypted = isEncrypted(request.url);
  const allowed = answer.headers['wac-allow'];
  const doubt = request.isOwn ? null : findOwnershipDoubt(allowed, { isEncrypted: encrypted });
  if (doubt !== null) {
    const { reason, readOnlyWanted } = doubt;
    return { ...skip(reason), readOnlyWanted };
  }
  const read = async () =>
    encrypted ? readEncrypted(answer.body, request) : readPlain(answer.body, request);
  const isLarge = answer.release !== undefined;
  return isLarge ? await decoding.run(read) : await read();
}

export function isEncrypted(url: string): boolean {
  return url.endsWith('.ttl');
}

function skip(reason: string, outcome: NotRead = 'unknown'): Skipped {
  return { skipped: reason, outcome, readOnlyWanted: false };
}

async function fetchResource<T>(
  client: SolidClient,
  request: ResourceRequest<T>,
): Promise<SolidAnswer | Skipped> {
  const { url, signal, onBody, maxBytes = LARGEST_RESOURCE } = request;
  // Any type: the Community Solid Server hangs when it has to turn broken JSON-LD into Turtle.
  const headers = { accept: '*/*' };
  try {
    const answer = await client.request(url, { headers, signal, maxBytes, holdsBody: true });
    onBody?.(answer.body.length);
    if (answer.status >= 200 && answer.status < 300) return answer;
    const isGone = [403, 404, 410].includes(answer.status);
    return skip(refusal(answer.status), isGone ? 'refused' : 'unknown');
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    if (error.failure === 'too-large') return skip('it is too large to be a reading');
    if (error.failure === 'forbidden-address') {
      return skip('it points to a server that may not be asked');
    }
    throw error;
  }
}

function refusal(status: number): string {
  if (status === 401) return 'its server does not accept the login (HTTP 401)';
  if (status === 403) return 'access was revoked (HTTP 403)';
  if (status === 404 || status === 410)
    return `access was revoked or it was deleted (HTTP ${status})`;
  return `the server refused it (HTTP ${status})`;
}

function parse(body: Buffer, url: string): EncryptedResource | null {
  try {
    return parseEncryptedResource(body, url);
  } catch (error) {
    if (error instanceof AnalyserError && error.kind === 'malformed') return null;
    throw error;
  }
}

async function readEncrypted<T>(
  body: Buffer,
  request: ResourceRequest<T>,
): Promise<ResourceOutcome<T>> {
  const { url, root, keys, folderKeys, signal } = request;
  const resource = parse(body, url);
  if (resource === null) return skip('could not be decrypted: it is not an encrypted resource');
  const ciphertext = decodeContent(resource.content);
  const file = { url, root, keys, inheritKeyFrom: resource.inheritKeyFrom };
  let isText = false;
  let tried = 0;
  for (const candidate of ciphertext === null ? [] : folderKeys.candidates(file)) {
    tried += 1;
    if (tried % KEYS_BETWEEN_PAUSES === 0) {
      await setImmediate();
      signal?.throwIfAborted();
    }
    if (ciphertext === null || !couldOpen(ciphertext, candidate.key)) continue;
    const pieces = decodePieces(decryptPieces(ciphertext, candidate.key));
    const outcome = readPieces(pieces, request.createReader());
    if (outcome === null) continue;
    isText = true;
    if (outcome.value === null) continue;
    folderKeys.proved(candidate);
    return { read: outcome.value, openedBy: candidate };
  }
  if (isText) return skip('it was decrypted, but it is not a reading');
  return skip(
    folderKeys.hasMeantKey(file)
      ? 'could not be decrypted'
      : 'no key has been shared for this resource',
    'unopened',
  );
}

function readPlain<T>(body: Buffer, { createReader }: ResourceRequest<T>): ResourceOutcome<T> {
  const pieces = decodePieces(cutIntoPieces(body));
  const value = readPieces(pieces, createReader())?.value ?? null;
  if (value === null) return skip('its content is not of the expected form');
  return { read: value, openedBy: null };
}

/** Null when the bytes are no text. */
function readPieces<T>(
  pieces: Iterable<string | null>,
  reader: TextReader<T>,
): { value: T | null } | null {
  for (const piece of pieces) {
    if (piece === null) return null;
    if (!reader.push(piece)) break;
  }
  return { value: reader.end() };
}
