import { expect, test } from 'vitest';
import { isYoung } from './document-version.js';

const date = 'Mon, 23 Nov 2026 12:00:00 GMT';
const now = Date.parse(date);
const second = now / 1000;

test.each([
  ['milliseconds, as of the Community Solid Server', `"${now}-text/plain"`, true],
  ['the second before', `"${now - 1000}-text/plain"`, true],
  ['three seconds ago', `"${now - 3000}-text/plain"`, false],
  ['seconds, with the size', `"${second}-10"`, true],
  ['hexadecimal seconds, as of nginx', `"${second.toString(16)}-1a2b3c4d5e"`, true],
  ['hexadecimal seconds of an hour ago', `"${(second - 3600).toString(16)}-1a2b3c4d5e"`, false],
  ['hexadecimal milliseconds', `"${(now - 500).toString(16).toUpperCase()}"`, true],
  ['a clock that is ahead of the server', `"${now + 60_000}"`, true],
  ['a digest', '"d41d8cd98f00b204e9800998ecf8427e"', false],
  ['a version number', '"17"', false],
])('an ETag with %s', (_, etag, expected) => {
  expect(isYoung({ etag, date })).toBe(expected);
});

test('without an ETag nothing has to be waited for', () => {
  expect(isYoung({ date })).toBe(false);
});

test('without a clock of the server, ours counts', () => {
  expect(isYoung({ etag: `"${Date.now()}"` })).toBe(true);
  expect(isYoung({ etag: `"${Date.now() - 60_000}"` })).toBe(false);
});
