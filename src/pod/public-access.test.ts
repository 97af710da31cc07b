import { expect, test } from 'vitest';
import { findForeignHand, publicAccess } from './public-access.js';

test.each([
  [undefined, []],
  ['', []],
  ['user="read write"', []],
  ['user="append read write",public="append read write"', ['append', 'read', 'write']],
  ['public="read"', ['read']],
  ['user="read", public="Read"', ['read']],
  ['notpublic="write"', []],
])('%s', (header, modes) => {
  expect([...publicAccess(header)]).toEqual(modes);
});

test.each([
  ['public="write"', true, /anybody may write/],
  ['public="append"', false, /anybody may write/],
  ['public="read"', false, /not encrypted/],
  ['public="read"', true, null],
  ['user="read"', false, null],
  [undefined, false, null],
])('%s, encrypted %s', (header, isEncrypted, reason) => {
  const found = findForeignHand(header, { isEncrypted });
  if (reason === null) expect(found).toBeNull();
  else expect(found).toMatch(reason);
});
