import { decodeText, decryptContent } from './crypto/content-cipher.js';
import { parseEncryptedResource } from './formats/encrypted-resource.js';

/** Decrypts a document with the first of the keys that opens it to a text; null if none does. */
export function openResource(
  body: Buffer,
  url: string,
  keys: readonly Buffer[],
): { text: string; key: Buffer } | null {
  const { content } = parseEncryptedResource(body, url);
  for (const key of keys) {
    const opened = decryptContent(content, key);
    const text = opened === null ? null : decodeText(opened);
    if (text !== null) return { text, key };
  }
  return null;
}
