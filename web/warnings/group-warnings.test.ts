import { describe, expect, test } from 'vitest';
import { countWarnings } from '../../src/documents/count-warnings.js';
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
      { kind: 'Could not be decrypted (file skipped)', texts: broken, count: 2 },
      { kind: 'Access was revoked', texts: [denied], count: 1 },
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

  test('a list that the run cut short counts what it left out', () => {
    const inbox = 'https://pods.example.org/analyser/app/shared/shared-keys.ttl';
    const entries = ['0a1b2c3d4e5f60718293', 'fedcba9876543210fedc'].map(
      (id) => `${inbox}: the entry ${id} does not open.`,
    );
    const rest = '… and 180 more: an entry does not open';
    expect(groupWarnings([...entries, rest, 'No chart was drawn: switched off'], [])).toEqual([
      { kind: 'The entry … does not open', texts: [...entries, rest], count: 182 },
      {
        kind: 'No chart was drawn: switched off',
        texts: ['No chart was drawn: switched off'],
        count: 1,
      },
    ]);
    expect(countWarnings([...entries, rest])).toBe(182);
    expect(groupWarnings([rest], [])).toEqual([
      { kind: 'An entry does not open', texts: [rest], count: 180 },
    ]);
  });

  test('the line about kinds without room is no part of the kind before it', () => {
    const rest = '… and 12 more warnings of other kinds';
    expect(groupWarnings(['No chart was drawn', rest], [])).toEqual([
      { kind: 'Other', texts: [rest], count: 12 },
      { kind: 'No chart was drawn', texts: ['No chart was drawn'], count: 1 },
    ]);
  });

  test('no warnings are no groups', () => {
    expect(groupWarnings([], [])).toEqual([]);
  });
});
