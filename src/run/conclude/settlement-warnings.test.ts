import { expect, test } from 'vitest';
import { concludedOf, podOfFiles, rootOf, webIdOf } from '../../../test/support/concluded.js';
import { digestOf, podOf, rememberedPod } from '../../../test/support/table.js';
import { emptyMemory } from '../../memory/memory.js';
import { foreignKey, noRoom } from '../../pod/outcome.js';

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
  const keys = Array.from({ length: 240_001 }, (_, index) => `${index}`);
  const claims = new Map(keys.map((key) => [key, [digestOf('root', rootOf('anna'))]]));
  const { results } = concludedOf(pods, { memory: { ...emptyMemory(), claims } });
  expect(results.conclusion.warnings).toEqual([
    `Too many keys to remember them all: the newest of ${webIdOf('anna')} are not, so nobody notices if somebody copies what they encrypt.`,
  ]);
});

test('the operator is told who waits for room in the memory, and who takes most of it', () => {
  const files = (name: string, count: number) =>
    Array.from(
      { length: count },
      (_, index) => [`${rootOf(name)}app/${index}.enc.ttl`, null] as const,
    );
  const remembered = ['bert', 'clara'].map((name, index) => {
    const pod = rememberedPod(rootOf(name), files(name, 7_000 * (index + 1)));
    return [pod.root, pod] as const;
  });
  const memory = { ...emptyMemory(), pods: new Map(remembered) };
  const anna = podOfFiles('anna', [noRoom(null), noRoom(null)], memory);
  const [warning] = concludedOf([anna], { memory }).results.conclusion.warnings;
  expect(warning).toMatch(
    new RegExp(`no room for new files of 1 Pod, which wait: ${webIdOf('anna')}\\.`),
  );
  expect(warning).toMatch(
    new RegExp(`taken by ${rootOf('clara')} \\(\\d+ %\\), ${rootOf('bert')} \\(\\d+ %\\)`),
  );
  expect(concludedOf([], { memory }).results.conclusion.warnings).toEqual([]);
});
