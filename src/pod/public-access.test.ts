import { expect, test } from 'vitest';
import { allowedModes, findOwnershipDoubt } from './public-access.js';

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
  ['public="write"', true, /anybody may write/, false],
  ['public="append"', false, /anybody may write/, false],
  ['user="write",public="write"', true, /anybody may write/, false],
  // Every stranger with a login, for all that can be seen.
  ['user="append read"', true, /grant it read access only/, true],
  ['user="read write",public="read"', true, /grant it read access only/, true],
  ['user="read write"', false, /grant it read access only/, true],
  ['user="read",public="read"', false, /everybody may read it and it is not encrypted/, false],
  [undefined, false, /does not say who may write/, false],
])('%s, encrypted %s: left out', (header, isEncrypted, reason, readOnlyWanted) => {
  const found = findOwnershipDoubt(header, { isEncrypted });
  expect(found?.reason).toMatch(reason);
  expect(found?.readOnlyWanted).toBe(readOnlyWanted);
});

test.each([
  ['user="read"', true],
  ['user="read"', false],
  ['user="read",public="read"', true],
  // Only the key shows it.
  [undefined, true],
])('%s, encrypted %s: its owner’s', (header, isEncrypted) => {
  expect(findOwnershipDoubt(header, { isEncrypted })).toBeNull();
});
