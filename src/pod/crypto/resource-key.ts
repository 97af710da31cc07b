import { randomBytes } from 'node:crypto';
import { decodeBase64 } from './base64.js';

const LENGTH = 32;

export function createResourceKey(): Buffer {
  return randomBytes(LENGTH);
}

/** In ind-keys.ttl and in share entries a key is the base64 text of its 32 bytes. */
export function readResourceKey(text: Buffer | null): Buffer | null {
  const key = text === null ? null : decodeBase64(text.toString('latin1'));
  return key?.length === LENGTH ? key : null;
}
