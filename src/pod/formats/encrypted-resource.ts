import { readTurtle } from '../../solid/turtle.js';
import { decodeText, decryptContent, type SealedContent } from '../crypto/content-cipher.js';
import { singleValues, text, vocabulary as v, writeTurtle } from './vocabulary.js';

export interface EncryptedResource {
  content: SealedContent;
  /** Pod-relative path of the folder whose key it uses; null for a key of its own. */
  inheritKeyFrom: string | null;
}

export async function parseEncryptedResource(
  body: Buffer,
  url: string,
  signal?: AbortSignal,
): Promise<EncryptedResource> {
  const { one, oneOrNull } = singleValues(await readTurtle(body, url, signal));
  return {
    content: { iv: one(v.iv), data: one(v.encData) },
    inheritKeyFrom: oneOrNull(v.inheritKeyFrom),
  };
}

export function buildEncryptedResource(
  url: string,
  root: string,
  resource: EncryptedResource,
): string {
  const { content, inheritKeyFrom } = resource;
  return writeTurtle([
    text(url, v.path, url.slice(root.length)),
    text(url, v.iv, content.iv),
    text(url, v.encData, content.data),
    ...(inheritKeyFrom === null ? [] : [text(url, v.inheritKeyFrom, inheritKeyFrom)]),
  ]);
}

export async function openResource(
  body: Buffer,
  url: string,
  keys: readonly Buffer[],
  signal?: AbortSignal,
): Promise<{ text: string; key: Buffer } | null> {
  const { content } = await parseEncryptedResource(body, url, signal);
  for (const key of keys) {
    const opened = decryptContent(content, key);
    const text = opened === null ? null : decodeText(opened);
    if (text !== null) return { text, key };
  }
  return null;
}
