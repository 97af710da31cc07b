import { createPrivateKey, hkdfSync } from 'node:crypto';
import { expect, test } from 'vitest';
import fixed from '../../../test/fixtures/document-key.json' with { type: 'json' };
import { deriveDocumentKey } from './document-key.js';
import { createPrivatePem } from './rsa.js';

test('the key follows from both primes, the smaller first, and the path', async () => {
  const privateKey = createPrivateKey(await createPrivatePem());
  const { p = '', q = '' } = privateKey.export({ format: 'jwk' });
  const primes = [p, q].map((prime) =>
    Buffer.from(prime, 'base64url').toString('hex').padStart(512, '0'),
  );
  const material = Buffer.from(primes.sort().join(''), 'hex');
  const info = 'bp-analyser/document/v1\0app/analyser/memory.txt';
  const expected = Buffer.from(hkdfSync('sha256', material, 'bp-analyser', info, 32));
  expect(deriveDocumentKey(privateKey, 'app/analyser/memory.txt')).toEqual(expected);
});

test('the key of a pair and a path never changes: documents in Pods are sealed with it', () => {
  const key = deriveDocumentKey(createPrivateKey(fixed.private_key), fixed.path);
  expect(key.toString('base64')).toBe(fixed.key);
});

test('the form in which the pair is stored does not matter, and another pair or path does', async () => {
  const [privateKey, other] = await Promise.all(
    [createPrivatePem(), createPrivatePem()].map(async (pem) => createPrivateKey(await pem)),
  );
  if (privateKey === undefined || other === undefined) throw new Error('There are no keys.');
  const key = deriveDocumentKey(privateKey, 'a');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  expect(deriveDocumentKey(createPrivateKey(pem), 'a')).toEqual(key);
  expect(deriveDocumentKey(privateKey, 'b')).not.toEqual(key);
  expect(deriveDocumentKey(other, 'a')).not.toEqual(key);
});
