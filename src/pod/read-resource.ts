import { AnalyserError, ServerError } from '../base/errors.js';
import { isAbsent } from '../solid/documents.js';
import type { SolidAnswer, SolidClient, SolidRequest } from '../solid/solid-client.js';
import { folderInPod } from './addresses.js';
import { findUnproven, mayBeWritten } from './answer-headers.js';
import { couldOpen, decodeContent, decodeText, openContent } from './crypto/content-cipher.js';
import { type FolderKeys, type FolderWithKeys, hasKeys, type SharedKeys } from './folder-keys.js';
import { type EncryptedResource, parseEncryptedResource } from './formats/encrypted-resource.js';
import { type NotRead, notRead } from './outcome.js';

export interface SharedResource<T> extends SharedKeys {
  root: string;
  /** The shared folder of the resource; its keys may open the resource as well, if the resource says so. */
  folder: FolderWithKeys | null;
  /** One for all files of the Pod, because it bounds how many keys are tried for a Pod. */
  folderKeys: FolderKeys;
  /** Null unless it has the expected form: anybody can plant wrong keys, and one can decrypt to a text by chance. */
  parseText: (text: string) => T | null;
}

/** `key` is null for a file that is not encrypted; `keyFrom` is the folder from which it says that it takes its key. */
export type ResourceRead<T> =
  | { kind: 'read'; read: T; key: Buffer | null; keyFrom: string | null }
  | NotRead;

/** More than a lifetime of readings, with padding. Bounded, as a parsed text can take fifty times as much memory. */
const LARGEST_TEXT = 4 * 1024 * 1024;
/** A document that holds the largest text as base64. */
const LARGEST_SEALED = 6 * 1024 * 1024;
const sharedForWriting = notRead(
  'writable',
  'others may write to it, perhaps, and it has no key of its own: grant the Analyser read access only',
);
const tooLarge = notRead('too large', 'it is larger than 4 MB: split it into smaller files');

/** Rejects when the server gives no usable answer or refuses the login, and when the signal aborts. */
export async function fetchResource(
  client: SolidClient,
  url: string,
  how: Pick<SolidRequest, 'signal' | 'tries' | 'patienceMs'>,
  maxBytes = LARGEST_SEALED,
): Promise<SolidAnswer | NotRead> {
  try {
    return await client.request(url, { ...how, maxBytes });
  } catch (error) {
    if (error instanceof ServerError && error.failure === 'too-large') return tooLarge;
    throw error;
  }
}

/** A 401 is about the login, not about the file. */
export function refusal(status: number): NotRead {
  if (status === 403) return notRead('refused', 'the Analyser may not read it (HTTP 403)');
  if (isAbsent({ status })) return notRead('refused', `it is not there (HTTP ${status})`);
  if (status === 401)
    return notRead('other answer', 'its server does not accept the login (HTTP 401)');
  return notRead('other answer', `the server refused it (HTTP ${status})`);
}

async function parseDocument(
  body: Buffer,
  url: string,
  signal: AbortSignal | undefined,
): Promise<EncryptedResource | null> {
  try {
    return await parseEncryptedResource(body, url, signal);
  } catch (error) {
    if (error instanceof AnalyserError && error.kind === 'malformed') return null;
    throw error;
  }
}

/** A fault of the resource is an outcome; only an abort rejects. */
export async function readResource<T>(
  { body, headers, url }: SolidAnswer,
  { root, keys, folder, folderKeys, parseText }: SharedResource<T>,
  signal?: AbortSignal,
): Promise<ResourceRead<T>> {
  const allowed = headers['wac-allow'];
  if (mayBeWritten(allowed, 'public')) {
    return notRead('writable', 'anybody may write to it, so it is nobody’s data');
  }
  const document = await parseDocument(body, url, signal);
  const ciphertext = document && decodeContent(document.content);
  if (document === null || ciphertext === null) return readPlain(body, allowed, parseText);
  if (ciphertext.data.length > LARGEST_TEXT) return tooLarge;
  const keyFrom = folderInPod(document.inheritKeyFrom, root);
  // Where the Analyser may write, others perhaps may too: they could put another file of the folder in its place, and
  // whether an entry gives it the folder's key as its own, anybody decides.
  const hasOwnKey = keyFrom === null && keys.length > 0;
  if (mayBeWritten(allowed, 'user') && !hasOwnKey) return sharedForWriting;
  const file = { keys, folder: folder?.url === keyFrom ? folder : null };
  let opener: Buffer | null = null;
  for (const candidate of folderKeys.candidates(file)) {
    if (!couldOpen(ciphertext, candidate.key)) continue;
    const opened = openContent(ciphertext, candidate.key);
    const text = opened && decodeText(opened);
    if (text === null) continue;
    opener = candidate.key;
    const read = parseText(text);
    if (read === null) continue;
    folderKeys.proved(candidate);
    return { kind: 'read', read, key: candidate.key, keyFrom };
  }
  if (opener !== null)
    return { ...notRead('no reading', 'it was decrypted, but it is not a reading'), key: opener };
  if (folderKeys.isExhausted)
    return notRead('limit', 'could not be decrypted: it has too many keys');
  return notRead(
    'no key',
    hasKeys(file) ? 'could not be decrypted' : 'no key has been shared for this resource',
  );
}

/** While an owner shares a file with everybody, or with all who log in, the app keeps plaintext under its name. */
function readPlain<T>(
  body: Buffer,
  allowed: string | undefined,
  parseText: SharedResource<T>['parseText'],
): ResourceRead<T> {
  if (body.length > LARGEST_TEXT) return tooLarge;
  const text = decodeText(body);
  const read = text === null ? null : parseText(text);
  if (read !== null)
    return findUnproven(allowed) ?? { kind: 'read', read, key: null, keyFrom: null };
  return text !== null && looksWhole(text.trim())
    ? notRead('no reading', 'its content is not of the expected form')
    : notRead('unreadable', 'it is encrypted in a way that this version does not know');
}

/** False for the error page of a proxy, and for a part of a document. */
function looksWhole(text: string): boolean {
  return text.startsWith('{') ? text.endsWith('}') : text.startsWith('[') && text.endsWith(']');
}
