import { readTurtle } from '../../solid/read-turtle.js';
import type { SealedContent } from '../crypto/content-cipher.js';
import { vocabulary as v } from '../vocabulary.js';
import { singleValues } from './single-value.js';
import { text, writeTurtle } from './write-turtle.js';

/** `….enc.ttl` */
export interface EncryptedResource {
  content: SealedContent;
  /** Pod-relative path of the folder whose key it uses; null for a key of its own. */
  inheritKeyFrom: string | null;
}

export function parseEncryptedResource(body: Buffer, url: string): EncryptedResource {
  const { one, oneOrNull } = singleValues(readTurtle(body, url));
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
