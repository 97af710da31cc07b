import { scryptSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createDocumentSeal } from '../pod/crypto/document-key.js';
import { deriveSharedSecret } from './shared-secret.js';

const webId = 'https://pods.example.org/analyser/profile/card#me';
const [own, same, otherKey, otherPod] = await Promise.all([
  deriveSharedSecret('correct horse', webId),
  deriveSharedSecret('correct horse', webId),
  deriveSharedSecret('correct horse.', webId),
  deriveSharedSecret('correct horse', webId.replace('analyser', 'other')),
]);

describe('what one process seals', () => {
  const value = { systolic: 118.25, keys: ['x'], none: null };

  test('[T30] another of the same Analyser opens, and it looks different every time', () => {
    const [one, two] = [own.seal(value, 'a'), own.seal(value, 'a')];
    expect(same.open(z.unknown(), one, 'a')).toEqual(value);
    expect(one).not.toBe(two);
    expect(Buffer.from(one, 'base64').toString('latin1')).not.toContain('systolic');
  });

  test('[T30] nobody else opens, nor for another purpose, and no change to it goes unseen', () => {
    const sealed = own.seal(value, 'a');
    const bytes = Buffer.from(sealed, 'base64');
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    const changed = bytes.toString('base64');
    expect(own.open(z.unknown(), sealed, 'b')).toBeNull();
    for (const [secret, text] of [
      [otherKey, sealed],
      [otherPod, sealed],
      [own, changed],
      [own, ''],
      [own, 'AAAA'],
      [own, sealed.slice(0, 60)],
    ] as const) {
      expect(secret.open(z.unknown(), text, 'a')).toBeNull();
    }
  });
});

test('[T30] names are the same for the same Analyser only, and say nothing', () => {
  expect(own.prefix).toBe(same.prefix);
  expect(own.nameOf(webId)).toBe(same.nameOf(webId));
  expect(new Set([own, otherKey, otherPod].map((one) => one.nameOf(webId))).size).toBe(3);
  expect(own.prefix).toMatch(/^\{bp-analyser:[\w-]{22}\}$/);
});

test('[T30] whoever guesses the security key needs 32 MB of memory for each guess', () => {
  const blockBytes = 128 * 8;
  const cost = { N: (32 * 2 ** 20) / blockBytes, r: 8, p: 1, maxmem: 64 * 2 ** 20 };
  const key = scryptSync('correct horse', `bp-analyser/redis/${webId}`, 64, cost);
  expect(createDocumentSeal(key).open(own.seal('read', 'a'), 'a')).not.toBeNull();
});
