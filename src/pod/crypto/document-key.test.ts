import { createPrivateKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { deriveDocumentKey } from './document-key.js';
import { createPrivatePem } from './rsa.js';

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
