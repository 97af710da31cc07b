import { createPrivateKey, generateKeyPairSync, hkdfSync, type KeyObject } from 'node:crypto';
import { expect, test } from 'vitest';
import { deriveDocumentKey } from './document-key.js';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

test('the key follows from both primes, the smaller first, and the path', () => {
  const { p = '', q = '' } = privateKey.export({ format: 'jwk' });
  const primes = [p, q].map((prime) =>
    Buffer.from(prime, 'base64url').toString('hex').padStart(512, '0'),
  );
  const material = Buffer.from(primes.sort().join(''), 'hex');
  const info = 'bp-analyser/document/v1\0app/analyser/memory.txt';
  const expected = Buffer.from(hkdfSync('sha256', material, 'bp-analyser', info, 32));
  expect(deriveDocumentKey(privateKey, 'app/analyser/memory.txt')).toEqual(expected);
});

test('the form in which the pair is stored does not matter, and another pair or path does', () => {
  const again = (type: 'pkcs1' | 'pkcs8'): KeyObject =>
    createPrivateKey(privateKey.export({ type, format: 'pem' }));
  const key = deriveDocumentKey(privateKey, 'a');
  expect(deriveDocumentKey(again('pkcs1'), 'a')).toEqual(key);
  expect(deriveDocumentKey(again('pkcs8'), 'a')).toEqual(key);
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  expect(deriveDocumentKey(privateKey, 'b')).not.toEqual(key);
  expect(deriveDocumentKey(other, 'a')).not.toEqual(key);
});
