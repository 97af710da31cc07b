import type { TurtleDocument } from '../../solid/turtle.js';
import { decodeBase64, type SealedContent } from '../crypto/content-cipher.js';
import type { KeyVersion } from '../crypto/derive-keys.js';
import { malformed, singleValues, text, vocabulary as v, writeTurtle } from './vocabulary.js';

/** encryption/enc-keys.ttl: a value to check the security key with, and the encrypted private key. */
export interface EncKeys {
  keyVersion: KeyVersion;
  /** Null with version 1. */
  salt: Buffer | null;
  verification: string;
  sealedPrivateKey: SealedContent;
}

export function parseEncKeys(document: TurtleDocument): EncKeys {
  const { url } = document;
  const { one, oneOrNull } = singleValues(document);
  const verification = one(v.encKey);
  const sealedPrivateKey = { data: one(v.prvKey), iv: one(v.iv) };
  const saltText = oneOrNull(v.salt);
  const version = oneOrNull(v.keyVersion);
  if (saltText === null || version === '1') {
    return { keyVersion: 1, salt: null, verification, sealedPrivateKey };
  }
  if (version !== null && version !== '2') {
    throw malformed(url, 'it asks for a version of key derivation that is not known');
  }
  const salt = decodeBase64(saltText);
  if (salt?.length !== 16) throw malformed(url, 'its salt is not 16 bytes in base64');
  return { keyVersion: 2, salt, verification, sealedPrivateKey };
}

export function buildEncKeys(url: string, keys: EncKeys): string {
  return writeTurtle([
    text(url, v.title, 'Encryption keys'),
    text(url, v.encKey, keys.verification),
    text(url, v.prvKey, keys.sealedPrivateKey.data),
    text(url, v.iv, keys.sealedPrivateKey.iv),
    ...(keys.salt === null
      ? []
      : [text(url, v.salt, keys.salt.toString('base64')), text(url, v.keyVersion, '2')]),
  ]);
}
