import { expect, test } from 'vitest';
import { concludedOf, podOfFiles, rootOf, webIdOf } from '../../../test/support/concluded.js';
import { digestOf, podOf } from '../../../test/support/table.js';
import { emptyMemory } from '../../memory/memory.js';
import { foreignKey } from '../../pod/outcome.js';

test('in the command that an operator pastes, an address that a stranger has chosen is one word', () => {
  const root = rootOf("$(id);'y'");
  const row = { hasEntry: true, outcome: foreignKey, foreign: new Set(['another Pod']) };
  const pod = podOf(root, { [`${root}app/1.enc.ttl`]: row, [`${root}app/2.enc.ttl`]: row });
  // One for all files with keys of the same Pod.
  expect(concludedOf([pod]).results.conclusion.warnings).toEqual([
    expect.stringMatching(
      /forget <its WebID> --keys-to 'https:\/\/pods\.example\/\$\(id\);'\\''y'\\''\/profile\/card#me'$/,
    ),
  ]);
});

test('the operator is told whose newest keys are not remembered', () => {
  const pods = ['anna', 'clara'].map((name) => podOfFiles(name, []));
  const keys = Array.from({ length: 400_001 }, (_, index) => `${index}`);
  const claims = new Map(keys.map((key) => [key, [digestOf('root', rootOf('anna'))]]));
  const { results } = concludedOf(pods, { memory: { ...emptyMemory(), claims } });
  expect(results.conclusion.warnings).toEqual([
    `Too many keys to remember them all: the newest of ${webIdOf('anna')} are not, so nobody notices if somebody copies what they encrypt.`,
  ]);
});
