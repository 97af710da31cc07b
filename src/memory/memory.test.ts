import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { keyedDigests } from './memory.js';

const keyedDigest = keyedDigests((text) => createHash('sha256').update(text).digest());

test('digests tell values and their kinds apart, and are the same for a key and its base64', () => {
  const key = Buffer.from([251, 255, 3]);
  expect(keyedDigest('key', key)).toBe(keyedDigest('key', '+/8D'));
  const others = [keyedDigest('root', key), keyedDigest('key', Buffer.from([251, 255, 4]))];
  expect(new Set([...others, keyedDigest('key', key)]).size).toBe(3);
  expect(keyedDigest('key', key)).toMatch(/^[\w-]{22}$/);
});
