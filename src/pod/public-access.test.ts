import { expect, test } from 'vitest';
import { allowedModes, findUnproven, mayBeWritten } from './public-access.js';

test.each([
  [undefined, null, null],
  ['', [], []],
  ['user="read write"', ['read', 'write'], []],
  ['user="read",public="append read write"', ['read'], ['append', 'read', 'write']],
  ['public="read"', [], ['read']],
  ['user="read", public="Read"', ['read'], ['read']],
  ['notpublic="write" superuser="write"', [], []],
])('%s', (header, user, everybody) => {
  const listed = (who: 'user' | 'public') => {
    const modes = allowedModes(header, who);
    return modes && [...modes];
  };
  expect(listed('user')).toEqual(user);
  expect(listed('public')).toEqual(everybody);
});

test.each([
  ['public="write"', true, false],
  ['public="append"', true, false],
  ['user="write",public="write"', true, true],
  // Every stranger with a login, for all that can be seen.
  ['user="append read"', false, true],
  ['user="read write",public="read"', false, true],
  ['user="read",public="read"', false, false],
  [undefined, false, false],
])('%s may be written by everybody: %s, by the Analyser: %s', (header, byAll, byUs) => {
  expect(mayBeWritten(header, 'public')).toBe(byAll);
  expect(mayBeWritten(header, 'user')).toBe(byUs);
});

test.each([
  ['user="read write"', /grant it read access only/],
  ['user="append",public="read"', /grant it read access only/],
  ['user="read",public="read"', /everybody may read it and it is not encrypted/],
  [undefined, /does not say who may write/],
])('nothing shows whose a plain file is with %s', (header, reason) => {
  expect(findUnproven(header)).toMatchObject({ because: 'unproven' });
  expect(findUnproven(header)?.reason).toMatch(reason);
});

test('a plain file that only some may read and nobody may write is its owner’s', () => {
  expect(findUnproven('user="read"')).toBeNull();
});
