import { AnalyserError, ServerError } from '../base/errors.js';
import { isAbsent } from '../solid/require-success.js';
import type { SolidAnswer, SolidClient } from '../solid/solid-client.js';
import { couldOpen, decodeContent, decodeText, openContent } from './crypto/content-cipher.js';
import { type EncryptedResource, parseEncryptedResource } from './documents/encrypted-resource.js';
import {
  type CandidateKey,
  type FolderKeys,
  type FolderWithKeys,
  hasMeantKey,
  type SharedKeys,
} from './folder-keys.js';
import { findOwnershipDoubt } from './public-access.js';

/** `keys` and `foreignKeys` are those shared for the file itself. */
export interface ResourceRequest<T> extends SharedKeys {
  /** Canonical. */
  url: string;
  /** The root of the Pod that the resource lies in. */
  root: string;
  /** The shared folder that lists it, whose keys may open it as well. */
  folder: FolderWithKeys | null;
  /** Those of the Pod, for all of its files. */
  folderKeys: FolderKeys;
  /**
   * Null when the text is not of the expected form. Called for each key that seems to open the file:
   * a wrong one can leave a text by chance, and wrong keys can be planted.
   */
  parse: (text: string) => T | null;
  /** Its owner reads it, and so may also write to it. */
  isOwn?: boolean;
  signal?: AbortSignal | undefined;
  /** How often it is asked for when there is no answer; default: by the rules of the client. */
  tries?: number | undefined;
  /** Sees every answer; says why a file that was handed over does not count, or null when it does. */
  judge?: (answer: SolidAnswer) => Skipped | null;
  /** Why it does not count unless it is encrypted; null when it does. */
  plainObjection?: Skipped | null;
}

export type ResourceOutcome<T> =
  /** `openedBy` is null for a file that is not encrypted. */
  { read: T; openedBy: CandidateKey | null } | Skipped;

/** A file that does not count. */
export interface Skipped {
  /** The reason, completing a sentence that begins with the address. */
  skipped: string;
  /**
   * `refusal`: the server does not hand it over. `key`: it is encrypted, and no key opens it.
   * `public`: everybody may read it. `others`: only a foreign key opens it, which is then `key`, or
   * there are too many of something. `plain`: it stands in plaintext under the name of an encrypted
   * file. `cipher`: it is encrypted in an unknown way. `size`: it is too large. `answer`: anything
   * else, as with the page of a proxy.
   */
  because: 'refusal' | 'key' | 'public' | 'others' | 'plain' | 'cipher' | 'size' | 'answer';
  key?: Buffer;
  /** It would count if the Analyser were allowed to read it and nothing else. */
  readOnlyWanted?: boolean;
}

/** Of the text with its padding. More than a lifetime of readings; parsed, it can take fifty times as much memory. */
const LARGEST_TEXT = 4 * 1024 * 1024;
/** Of a document that holds the largest text as base64. */
const LARGEST_SEALED = 6 * 1024 * 1024;
const tooLarge = skip('it is larger than 4 MB: split it into smaller files', 'size');

/** Completes a sentence that begins with the address. */
export const unknownCipher = 'it is encrypted in a way that this version does not know';

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
  return request.judge?.(answer) ?? readAnswer(answer, request);
}

/** Without waiting for anything, so that the bodies of large files do not gather in memory. */
function readAnswer<T>(answer: SolidAnswer, request: ResourceRequest<T>): ResourceOutcome<T> {
  const encrypted = isEncrypted(request.url);
  const allowed = answer.headers['wac-allow'];
  if (!encrypted && request.plainObjection) return request.plainObjection;
  const doubt = findDoubt(allowed, request, encrypted);
  if (doubt !== null) return doubt;
  return encrypted ? readEncrypted(answer.body, allowed, request) : readPlain(answer.body, request);
}

function isEncrypted(url: string): boolean {
  return url.endsWith('.ttl');
}

function findDoubt<T>(
  allowed: string | undefined,
  { isOwn = false }: ResourceRequest<T>,
  isEncrypted: boolean,
): Skipped | null {
  const doubt = isOwn ? null : findOwnershipDoubt(allowed, { isEncrypted });
  return doubt && { ...skip(doubt.reason), readOnlyWanted: doubt.readOnlyWanted };
}

function skip(reason: string, because: Skipped['because'] = 'answer'): Skipped {
  return { skipped: reason, because };
}

async function fetchResource<T>(
  client: SolidClient,
  request: ResourceRequest<T>,
): Promise<SolidAnswer | Skipped> {
  const { url, signal, tries, judge } = request;
  const maxBytes = isEncrypted(url) ? LARGEST_SEALED : LARGEST_TEXT;
  // Any type: the Community Solid Server hangs when it has to turn broken JSON-LD into Turtle.
  const headers = { accept: '*/*' };
  try {
    const answer = await client.request(url, { headers, signal, tries, maxBytes });
    if (answer.status >= 200 && answer.status < 300) return answer;
    judge?.(answer);
    return skip(refusal(answer.status), isRefusal(answer.status) ? 'refusal' : 'answer');
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    if (error.failure === 'too-large') return tooLarge;
    if (error.failure === 'forbidden-address') {
      return skip('it points to a server that may not be asked');
    }
    throw error;
  }
}

/** Whether the status says that access was taken back; a 401 is about the login, not about the file. */
export function isRefusal(status: number): boolean {
  return status === 403 || isAbsent({ status });
}

/** Completes a sentence that begins with the address. */
export function refusal(status: number): string {
  if (status === 401) return 'its server does not accept the login (HTTP 401)';
  if (status === 403) return 'access was revoked (HTTP 403)';
  if (isAbsent({ status })) return `access was revoked or it was deleted (HTTP ${status})`;
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

function readEncrypted<T>(
  body: Buffer,
  allowed: string | undefined,
  request: ResourceRequest<T>,
): ResourceOutcome<T> {
  const { url, root, keys, foreignKeys, folder, folderKeys } = request;
  const resource = parse(body, url);
  const ciphertext = resource && decodeContent(resource.content);
  if (resource === null || ciphertext === null) return readOtherForm(body, allowed, request);
  if (ciphertext.data.length > LARGEST_TEXT) return tooLarge;
  const file = { root, keys, foreignKeys, folder, inheritKeyFrom: resource.inheritKeyFrom };
  let isText = false;
  for (const candidate of folderKeys.candidates(file)) {
    if (!couldOpen(ciphertext, candidate.key)) continue;
    const opened = openContent(ciphertext, candidate.key);
    const text = opened && decodeText(opened);
    if (text === null) continue;
    isText = true;
    const read = request.parse(text);
    if (read === null) continue;
    folderKeys.proved(candidate);
    if (!candidate.isForeign) return { read, openedBy: candidate };
    const { key } = candidate;
    return { ...skip('it opens only with a key that was shared for other files', 'others'), key };
  }
  if (isText) return skip('it was decrypted, but it is not a reading');
  if (folderKeys.isExhausted) return skip('could not be decrypted: it has too many keys', 'others');
  return skip(
    hasMeantKey(file) ? 'could not be decrypted' : 'no key has been shared for this resource',
    'key',
  );
}

/**
 * Sharing with everybody, or with all who are logged in, leaves the plaintext under the name of the
 * encrypted file; its keys and entries stay, and taking that back encrypts it again.
 */
function readOtherForm<T>(
  body: Buffer,
  allowed: string | undefined,
  request: ResourceRequest<T>,
): ResourceOutcome<T> {
  const plain = readPlain(body, request);
  if ('skipped' in plain) return skip(unknownCipher, 'cipher');
  if (request.plainObjection) return request.plainObjection;
  if (findDoubt(allowed, request, false) === null) return plain;
  return skip('it is not encrypted any more, because its owner shares it with everybody', 'plain');
}

function readPlain<T>(body: Buffer, request: ResourceRequest<T>): ResourceOutcome<T> {
  const text = decodeText(body);
  const read = text === null ? null : request.parse(text);
  if (read === null) return skip('its content is not of the expected form');
  return { read, openedBy: null };
}
