import { createBreather } from '../base/breathe.js';
import { AnalyserError, ServerError } from '../base/errors.js';
import type { SolidAnswer, SolidClient } from '../solid/solid-client.js';
import { decodeText, decryptContent } from './crypto/content-cipher.js';
import { type EncryptedResource, parseEncryptedResource } from './documents/encrypted-resource.js';
import { findForeignHand } from './public-access.js';
import { folderInPod, parentFolder } from './resource-address.js';

export interface ResourceRequest<T> {
  /** Canonical. */
  url: string;
  /** Of the Pod it lies in. */
  root: string;
  /** Keys that were shared for the file itself. */
  keys: Buffer[];
  /** Keys of folders by their address, for files that inherit. */
  folderKeys: ReadonlyMap<string, Buffer[]>;
  /**
   * Null for what is not of the expected form. A wrong key can by chance leave something
   * that looks padded, and wrong keys can be planted: only what is valid is taken.
   */
  validate: (text: string) => T | null;
  signal?: AbortSignal | undefined;
  maxBytes?: number;
}

/** `skipped` says why, in words that go after the address. */
export type ResourceOutcome<T> = { read: T } | { skipped: string };

const LARGEST_RESOURCE = 16 * 1024 * 1024;

/**
 * One shared resource, fetched and decrypted. Whatever is wrong with it is an outcome; only
 * a server that gives no answer, a refused login and an abort reject.
 */
export async function readResource<T>(
  client: SolidClient,
  request: ResourceRequest<T>,
): Promise<ResourceOutcome<T>> {
  const answer = await fetchResource(client, request);
  if ('skipped' in answer) return answer;
  const encrypted = isEncrypted(request.url);
  const foreignHand = findForeignHand(answer.headers['wac-allow'], { isEncrypted: encrypted });
  if (foreignHand !== null) return { skipped: foreignHand };
  if (!encrypted) {
    const text = decodeText(answer.body);
    return judge(text === null ? null : request.validate(text));
  }
  const resource = parse(answer.body, request.url);
  return 'skipped' in resource ? resource : decrypt(resource, request);
}

export function isEncrypted(url: string): boolean {
  return url.endsWith('.ttl');
}

async function fetchResource<T>(
  client: SolidClient,
  request: ResourceRequest<T>,
): Promise<SolidAnswer | { skipped: string }> {
  const { url, signal, maxBytes = LARGEST_RESOURCE } = request;
  // As it is stored: asked to turn broken JSON-LD into Turtle, the Community Solid Server hangs.
  const headers = { accept: '*/*' };
  try {
    const answer = await client.request(url, { headers, signal, maxBytes });
    if (answer.status >= 200 && answer.status < 300) return answer;
    return { skipped: refusal(answer.status) };
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    if (error.failure === 'too-large') return { skipped: 'it is too large to be a reading' };
    if (error.failure === 'forbidden-address') {
      return { skipped: 'it points to a server that may not be asked' };
    }
    throw error;
  }
}

function refusal(status: number): string {
  if (status === 401 || status === 403) return `access was revoked (HTTP ${status})`;
  if (status === 404 || status === 410)
    return `access was revoked or it was deleted (HTTP ${status})`;
  return `the server refused it (HTTP ${status})`;
}

function parse(body: Buffer, url: string): EncryptedResource | { skipped: string } {
  try {
    return parseEncryptedResource(body, url);
  } catch (error) {
    if (!(error instanceof AnalyserError) || error.kind !== 'malformed') throw error;
    return { skipped: 'could not be decrypted: it is not an encrypted resource' };
  }
}

async function decrypt<T>(
  resource: EncryptedResource,
  request: ResourceRequest<T>,
): Promise<ResourceOutcome<T>> {
  const meant = meantKeys(resource, request);
  const breathe = createBreather(request.signal);
  for (const keys of new Set([...meant, ...keysOfFoldersAbove(request)])) {
    for (const key of keys) {
      await breathe();
      const content = decryptContent(resource.content, key);
      const text = content === null ? null : decodeText(content);
      const value = text === null ? null : request.validate(text);
      if (value === null) continue;
      promote(keys, key);
      return { read: value };
    }
  }
  const isMeant = meant.some((keys) => keys.length > 0);
  return {
    skipped: isMeant ? 'could not be decrypted' : 'no key has been shared for this resource',
  };
}

/** Its own keys, then those of the folder it names. */
function meantKeys<T>(
  { inheritKeyFrom }: EncryptedResource,
  { keys, root, folderKeys }: ResourceRequest<T>,
): Buffer[][] {
  const folder = folderInPod(inheritKeyFrom, root);
  return [keys, folder === null ? [] : (folderKeys.get(folder) ?? [])];
}

/** The last resort: a folder's key may open a file that does not say so. */
function keysOfFoldersAbove<T>({ url, root, folderKeys }: ResourceRequest<T>): Buffer[][] {
  const lists: Buffer[][] = [];
  for (let folder = parentFolder(url); folder.startsWith(root); folder = parentFolder(folder)) {
    lists.push(folderKeys.get(folder) ?? []);
  }
  return lists;
}

/** Anybody can add wrong keys; the right one of a folder is looked for once, not for every file. */
function promote(keys: Buffer[], key: Buffer): void {
  const position = keys.indexOf(key);
  if (position === 0) return;
  keys.splice(position, 1);
  keys.unshift(key);
}

function judge<T>(value: T | null): ResourceOutcome<T> {
  return value === null ? { skipped: 'its content is not of the expected form' } : { read: value };
}
