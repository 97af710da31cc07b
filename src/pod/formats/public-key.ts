import type { KeyObject } from 'node:crypto';
import type { TurtleDocument } from '../../solid/turtle-document.js';
import { readPublicKeyBody } from '../crypto/rsa.js';
import { vocabulary as v } from '../vocabulary.js';
import { malformed, singleValues } from './single-value.js';
import { text, writeTurtle } from './write-turtle.js';

/** sharing/public-key.ttl */
export function parsePublicKey(document: TurtleDocument): KeyObject {
  const key = readPublicKeyBody(singleValues(document).one(v.pubKey));
  if (key === null)
    throw malformed(document.url, 'it holds no RSA public key of 2048 bits or more');
  return key;
}

export function buildPublicKey(url: string, publicBody: string): string {
  return writeTurtle([text(url, v.title, 'Public key'), text(url, v.pubKey, publicBody)]);
}
