import { readTurtle } from '../../solid/documents/read-turtle.js';
import type { SealedContent } from '../crypto/content-cipher.js';
import { vocabulary as v } from '../vocabulary.js';
import { oneValue, oneValueOrNull } from './single-value.js';
import { text, writeTurtle } from './write-turtle.js';

/** `….enc.ttl` */
export interface EncryptedResource {
  content: SealedContent;
  /** Pod-relative path of the folder whose key it uses; null for a key of its own. */
  inheritKeyFrom: string | null;
}

export function parseEncryptedResource(body: Buffer, url: string): EncryptedResource {
  return readUsualLayout(body.toString()) ?? readAnyLayout(body, url);
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

export function readAnyLayout(body: Buffer, url: string): EncryptedResource {
  const document = readTurtle(body, url);
  return {
    content: { iv: oneValue(document, v.iv), data: oneValue(document, v.encData) },
    inheritKeyFrom: oneValueOrNull(document, v.inheritKeyFrom),
  };
}

/** Matches fewer addresses than Turtle allows; odd ones are left to the full parser. */
const ABSOLUTE = String.raw`https?:\/\/[\w:/.~%@-]*(?:#[\w-]*)?`;
const PREFIX = new RegExp(
  String.raw`[ \t\r\n]*@prefix[ \t\r\n]+([\w-]*):[ \t\r\n]*<(${ABSOLUTE}|#)>[ \t\r\n]*\.`,
  'y',
);
const SUBJECT = new RegExp(String.raw`[ \t\r\n]*<(?:${ABSOLUTE}|[\w/.~%@-]*)>`, 'y');
const PAIR = new RegExp(
  String.raw`[ \t\r\n]+(?:<(${ABSOLUTE})>|([\w-]*):(\w+))[ \t\r\n]+"([^"\\\r\n]*)"[ \t\r\n]*([;.])`,
  'y',
);
const END = /[ \t\r\n]*$/y;

/**
 * Reads the layout that the app and the server write: one subject with plain strings. An analysis
 * reads thousands of these, and this takes a fifth of the time. Null for any other layout.
 */
export function readUsualLayout(turtle: string): EncryptedResource | null {
  let position = 0;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = position;
    const match = pattern.exec(turtle);
    if (match) position = pattern.lastIndex;
    return match;
  };
  const prefixes = new Map<string, string>();
  for (let match = take(PREFIX); match; match = take(PREFIX)) {
    prefixes.set(match[1] ?? '', match[2] ?? '');
  }
  if (!take(SUBJECT)) return null;
  const values = new Map<string, string>();
  let closed = false;
  while (!closed) {
    const match = take(PAIR);
    if (!match) return null;
    const [, full, prefix = '', name, value = '', end] = match;
    const namespace = prefixes.get(prefix);
    const predicate = full ?? (namespace === undefined ? null : `${namespace}${name}`);
    if (predicate === null || values.has(predicate)) return null;
    values.set(predicate, value);
    closed = end === '.';
  }
  const iv = values.get(v.iv);
  const data = values.get(v.encData);
  if (!take(END) || iv === undefined || data === undefined) return null;
  return { content: { iv, data }, inheritKeyFrom: values.get(v.inheritKeyFrom) ?? null };
}
