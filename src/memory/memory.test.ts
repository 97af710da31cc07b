import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { digestsOf } from './memory.js';

const digestOf = digestsOf((text) => createHash('sha256').update(text).digest());

test('digests tell values and their kinds apart, and are the same for a key and its base64', () => {
  const key = Buffer.from([251, 255, 3]);
  expect(digestOf('key', key)).toBe(digestOf('key', '+/8D'));
  const others = [digestOf('root', key), digestOf('key', Buffer.from([251, 255, 4]))];
  expect(new Set([...others, digestOf('key', key)]).size).toBe(3);
  expect(digestOf('key', key)).toMatch(/^[\w-]{22}$/);
});
