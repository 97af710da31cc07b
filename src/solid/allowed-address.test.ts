import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServerError } from '../base/errors.js';
import { allowOrigins } from './allowed-address.js';

const allowed = allowOrigins(['https://pods.example/base/', 'http://localhost:3000']);

test.each([
  ['https://pods.example/alice/card#me', 'https://pods.example/alice/card'],
  ['https://pods.example:443/x', 'https://pods.example/x'],
  ['http://localhost:3000/localhost:3000-alice/', 'http://localhost:3000/localhost:3000-alice/'],
  // A backslash is a slash to every reader of addresses.
  ['https://pods.example\\@evil.example/', 'https://pods.example/@evil.example/'],
])('%s may be asked for', (url, address) => {
  expect(allowed(url)).toBe(address);
});

test.each([
  'https://evil.example/',
  'http://pods.example/',
  'https://pods.example:8443/',
  'https://pods.example.evil.example/',
  'https://pods.example@evil.example/',
  'https://alice@pods.example/',
  'https://alice:secret@pods.example/',
  'ftp://pods.example/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/turtle,<a>',
  '//pods.example/x',
  '/relative',
  '',
])('[T1] %s is never asked for', (url) => {
  expect(() => allowed(url)).toThrow(expect.objectContaining({ failure: 'forbidden-address' }));
});

test('[T1] no text leads anywhere else', () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl(), fc.string()), (url) => {
      try {
        expect(['https://pods.example', 'http://localhost:3000']).toContain(
          new URL(allowed(url)).origin,
        );
      } catch (error) {
        expect(error).toBeInstanceOf(ServerError);
      }
    }),
  );
});
