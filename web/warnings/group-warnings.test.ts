import { describe, expect, test } from 'vitest';
import { groupWarnings } from './group-warnings.js';

const file = (pod: string, name: string) =>
  `https://pods.example.org/${pod}/app/data/blood_pressure/${name}.json.enc.ttl`;

describe('warnings of a run', () => {
  test('those that differ only in what they name are one kind, the commonest first', () => {
    const denied = `${file('bob', 'bp_1')}: access was revoked.`;
    const broken = ['bp_1', 'bp_2'].map(
      (name) => `${file('alice', name)}: could not be decrypted (file skipped).`,
    );
    expect(groupWarnings([denied, ...broken], [])).toEqual([
      { kind: 'Could not be decrypted (file skipped)', texts: broken },
      { kind: 'Access was revoked', texts: [denied] },
    ]);
  });

  test.each([
    ['No key has been shared for https://a.example/x/.', 'No key has been shared for …'],
    ['localhost:3000-alice: did not receive the key', 'Did not receive the key'],
    [
      'No key has been shared for this resource: https://a.example/x.ttl',
      'No key has been shared for this resource',
    ],
    ['3 entries of the inbox were ignored.', '… entries of the inbox were ignored'],
    ['The share entry "ab12" is malformed.', 'The share entry … is malformed'],
    ['https://a.example/x', 'Other'],
    ['', 'Other'],
  ])('%j is of the kind %j', (warning, kind) => {
    expect(groupWarnings([warning], ['localhost:3000-alice', ''])[0]?.kind).toBe(kind);
  });

  test('no warnings are no groups', () => {
    expect(groupWarnings([], [])).toEqual([]);
  });
});
