import type { KeyObject } from 'node:crypto';
import type { TurtleDocument } from '../../solid/turtle.js';
import { readPublicKeyBody } from '../crypto/rsa.js';
import { malformed, singleValues, text, vocabulary as v, writeTurtle } from './vocabulary.js';

export function parsePublicKey(document: TurtleDocument): KeyObject {
  const key = readPublicKeyBody(singleValues(document).one(v.pubKey));
  if (key === null)
    throw malformed(document.url, 'it holds no RSA public key of 2048 bits or more');
  return key;
}

export function buildPublicKey(url: string, publicBody: string): string {
  return writeTurtle([text(url, v.title, 'Public key'), text(url, v.pubKey, publicBody)]);
}
