import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import vectors from '../../../test/fixtures/solidpod.json' with { type: 'json' };
import { decryptContent, readResourceKey } from './content-cipher.js';
import { deriveKeys, isSameVerification } from './derive-keys.js';
import { openPrivateKeyText } from './rsa.js';

const bytes = (base64: string) => Buffer.from(base64, 'base64');
const { iv } = vectors;
const masterKey = bytes(vectors.master_key);
const resourceKey = bytes(vectors.resource_key);

describe('values of the client app', () => {
  test('key derivation version 2 gives its master key and its verification value', async () => {
    const keys = await deriveKeys(vectors.security_key, bytes(vectors.salt));
    expect(keys.masterKey.toString('base64')).toBe(vectors.master_key);
    expect(keys.verification).toBe(vectors.verification);
  });

  test('its content opens', () => {
    const opened = decryptContent({ iv, data: vectors.content_aes_ctr }, resourceKey);
    expect(opened?.toString('utf8')).toBe(vectors.plaintext);
  });

  test('its sealed private key opens', () => {
    const sealed = { iv, data: vectors.master_key_aes_cbc };
    expect(openPrivateKeyText(sealed, masterKey)).toBe(vectors.plaintext);
  });

  test('its sealed resource key opens', () => {
    const sealed = { iv, data: vectors.sealed_resource_key };
    expect(readResourceKey(decryptContent(sealed, masterKey))).toEqual(resourceKey);
  });
});

test('key derivation version 1 takes the heads of two digests as text', async () => {
  const hex = (algorithm: string) => createHash(algorithm).update('old key').digest('hex');
  const keys = await deriveKeys('old key', null);
  expect(keys.masterKey.toString('latin1')).toBe(hex('sha256').slice(0, 32));
  expect(keys.verification).toBe(hex('sha224').slice(0, 32));
});

test('verification values are the same only when they are', () => {
  expect(isSameVerification('RR14', 'RR14')).toBe(true);
  expect(isSameVerification('RR14', 'RR15')).toBe(false);
  expect(isSameVerification('RR14', '')).toBe(false);
});
