import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encryptAt } from '../../../test/support/encrypt-at.js';
import {
  couldOpen,
  decodeBase64,
  decodeContent,
  decodeText,
  decryptContent,
  encryptContent,
  openContent,
  removePadding,
} from './content-cipher.js';
import { openPrivateKey } from './rsa.js';

const key = randomBytes(32);

test('content of every length opens to itself', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (content) => {
      expect(decryptContent(encryptContent(content, key), key)).toEqual(Buffer.from(content));
    }),
  );
});

test('[T37] two writes of the same content share neither IV nor bytes', () => {
  const [first, second] = [encryptContent('same', key), encryptContent('same', key)];
  expect(first.iv).not.toBe(second.iv);
  expect(first.data).not.toBe(second.data);
});

test('the counter carries over all 128 bits', () => {
  const iv = Buffer.alloc(16, 0xff);
  const long = Buffer.alloc(64, 7);
  expect(decryptContent(encryptAt(iv, long, key), key)).toEqual(long);
});

test.each([
  ['no bytes', ''],
  ['padding of nothing', '00000000000000000000000000000000'],
  ['padding longer than a block', '11111111111111111111111111111111'],
  ['padding that is not all alike', '00000000000000000000000000010303'],
  ['padding longer than the content', '0202020202'.slice(0, 2)],
])('%s is no padding', (_, hex) => {
  expect(removePadding(Buffer.from(hex, 'hex'))).toBeNull();
});

test('a sealed value that is anything else opens to nothing and never throws', () => {
  const text = fc.oneof(fc.string(), fc.base64String());
  fc.assert(
    fc.property(text, text, fc.uint8Array({ maxLength: 40 }), (iv, data, anyKey) => {
      decryptContent({ iv, data }, anyKey);
      openPrivateKey({ iv, data }, key);
    }),
  );
  const good = encryptContent('good', key);
  expect(decryptContent({ ...good, iv: good.iv.slice(4) }, key)).toBeNull();
  expect(decryptContent({ ...good, data: good.data.slice(4) }, key)).toBeNull();
  expect(decryptContent(good, key.subarray(1))).toBeNull();
});

test.each([
  ['QUJD', 'ABC'],
  [' QUI=\n', 'AB'],
  ['', ''],
])('%j is base64', (text, decoded) => {
  expect(decodeBase64(text)?.toString()).toBe(decoded);
});

test.each(['QUJ', 'QU*D', 'QUJD QUJD', '====', 'QQ=A', 'QUJD-_==', 'é==='])(
  '%j is no base64',
  (text) => {
    expect(decodeBase64(text)).toBeNull();
  },
);

test('bytes that are no UTF-8 are no text, and a byte order mark is left out', () => {
  expect(decodeText(Buffer.from('\uFEFFé'))).toBe('é');
  expect(decodeText(Buffer.from([0xc3, 0x28]))).toBeNull();
});

describe('the last block and the first', () => {
  const long = Buffer.alloc(100_000, 'a');
  test.each([
    ['of one block', Buffer.from('x'), randomBytes(16)],
    ['of many blocks', long, randomBytes(16)],
    ['whose counter runs over', long, Buffer.alloc(16, 0xff)],
    ['that is nothing but padding', Buffer.alloc(0), randomBytes(16)],
  ])('tells the key of a content %s', (_, content, iv) => {
    const key = randomBytes(32);
    const ciphertext = decodeContent(encryptAt(iv, content, key));
    if (ciphertext === null) throw new Error('does not decode');
    expect(couldOpen(ciphertext, key)).toBe(true);
    expect(openContent(ciphertext, key)).toEqual(content);
    const wrong = Array.from({ length: 2_000 }, () => randomBytes(32));
    // About one wrong key in a million passes by chance; with the padding as the only check, one in 256 would.
    expect(wrong.filter((one) => couldOpen(ciphertext, one)).length).toBeLessThan(3);
    expect(couldOpen(ciphertext, key.subarray(1))).toBe(false);
  });

  test('tell the key of a text whose characters the first block cuts', () => {
    const key = randomBytes(32);
    for (const content of ['a€€€€€€', 'aa€€€€€€', '😀é'.repeat(9), '\uFEFF[]']) {
      const ciphertext = decodeContent(encryptContent(content, key));
      expect(ciphertext !== null && couldOpen(ciphertext, key)).toBe(true);
    }
    const noText = decodeContent(encryptContent(Buffer.alloc(20, 0xff), key));
    expect(noText !== null && couldOpen(noText, key)).toBe(false);
  });
});
