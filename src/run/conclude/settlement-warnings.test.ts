import { expect, test } from 'vitest';
import {
  concludedOf,
  fileOf,
  fileWith,
  podOfFiles,
  rootOf,
  webIdOf,
} from '../../../test/support/concluded.js';
import { keyedDigest, podOf, rememberedPod, someSums } from '../../../test/support/table.js';
import { emptyMemory } from '../../memory/memory.js';
import { ROOM_FOR_PODS, roomFor } from '../../memory/room.js';
import { copiedBy, foreignKey, noRoom, notRead } from '../../pod/outcome.js';
import type { Pod } from '../table/row.js';

test('[T36] in the command that an operator pastes, an address that a stranger has chosen is one word', () => {
  const root = rootOf("$(id);'y'");
  const row = { mayHaveEntry: true, outcome: foreignKey, otherHolders: new Set(['another Pod']) };
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
  const claims = new Map(keys.map((key) => [key, [keyedDigest('root', rootOf('anna'))]]));
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

const key = Buffer.alloc(32, 7);
const warningsOf = (pods: Pod[], memory = emptyMemory()) =>
  concludedOf(pods, { memory }).results.conclusion.warnings;

test('whose Pod has keys of a Pod that still shares is told by its name, and what has other reasons is not told so', () => {
  const anna = podOfFiles('anna', [fileWith({}, key)]);
  const row = { mayHaveEntry: true, outcome: foreignKey, otherHolders: new Set([anna.rootDigest]) };
  const shut = {
    mayHaveEntry: true,
    outcome: notRead('no key', ''),
    otherHolders: new Set([anna.rootDigest]),
  };
  const bert = podOf(rootOf('bert'), { [fileOf('bert')]: row });
  const clara = podOf(rootOf('clara'), { [fileOf('clara')]: shut });
  expect(warningsOf([anna, bert, clara])).toEqual([
    `Files of ${rootOf('bert')} do not count, because their keys were those of ${rootOf('anna')} before. Find out whose they are; if their owner has moved to ${rootOf('bert')}, run the mode forget: forget ${webIdOf('anna')} --keys-to ${webIdOf('bert')}`,
  ]);
});

test('Pods in which files open with one key are named together', () => {
  const pods = ['anna', 'bert', 'clara'].map((name) =>
    podOfFiles(name, [name === 'clara' ? fileWith() : copiedBy(key)]),
  );
  const [warning, ...more] = warningsOf(pods);
  expect(warning).toContain(`the same key: ${webIdOf('anna')}, ${webIdOf('bert')}. Somebody`);
  expect(more).toEqual([]);
});

test('files that count without an entry are counted', () => {
  const first = concludedOf([
    podOfFiles('anna', [fileWith({}, key), fileWith({}, Buffer.alloc(32, 8))]),
  ]);
  const { memory } = first.results.conclusion;
  expect(first.results.conclusion.warnings).toEqual([]);
  const unnamed = podOf(
    rootOf('anna'),
    {
      [fileOf('anna')]: { outcome: fileWith({}, key) },
      [fileOf('anna', 2)]: { mayHaveEntry: true, outcome: notRead('silence', '') },
      [fileOf('anna', 3)]: { outcome: notRead('silence', '') },
      [fileOf('anna', 4)]: { outcome: notRead('silence', '') },
    },
    memory,
  );
  expect(warningsOf([unnamed], memory)).toEqual([
    expect.stringMatching(/^Counted 1 file without an entry in the inbox/),
  ]);
});

test('ten names at most stand in one warning', () => {
  const names = Array.from({ length: 12 }, (_, index) => `p${10 + index}`);
  const [warning] = warningsOf(names.map((name) => podOfFiles(name, [copiedBy(key)])));
  expect(warning).toContain(`${webIdOf('p19')} and 2 more. Somebody`);
  expect(warning).not.toContain(webIdOf('p20'));
  // No more than ten, so none is left out.
  const [ofTen] = warningsOf(names.slice(2).map((name) => podOfFiles(name, [copiedBy(key)])));
  expect(ofTen).toContain(`${webIdOf('p21')}. Somebody`);
});

test('who was not read in full since the rules changed is named, and nobody else', () => {
  const pods = ['anna', 'bert'].map((name) => {
    const pod = rememberedPod(rootOf(name), [[fileOf(name), null]], someSums);
    return [pod.root, pod] as const;
  });
  const memory = { ...emptyMemory(), pods: new Map(pods) };
  const silent = podOfFiles('anna', [notRead('silence', '')], memory);
  expect(warningsOf([silent, podOfFiles('bert', [fileWith()], memory)], memory)).toEqual([
    `Not read in full since the rules of the analysis changed: ${webIdOf('anna')}.`,
  ]);
});

test('the keys of a folder are looked through once, however many of its files they are for', () => {
  let looked = 0;
  class Digests extends Set<string> {
    override [Symbol.iterator]() {
      looked += 1;
      return super[Symbol.iterator]();
    }
  }
  const folder = `${rootOf('eve')}app/data/`;
  const otherHolders = new Digests(['one Pod', 'another Pod']);
  const file = { mayHaveEntry: true, isListed: true, outcome: foreignKey };
  const pod = podOf(rootOf('eve'), {
    [folder]: { otherHolders },
    ...Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`${folder}${at}.enc.ttl`, file] as const),
    ),
  });
  looked = 0;
  expect(concludedOf([pod]).results.conclusion.warnings).toHaveLength(1);
  expect(looked).toBe(1);
});

test('of a memory that is too large in spite of the bounds the largest Pods are named, each with its part', () => {
  const pods = ['a', 'b', 'c', 'd'].map((name, index) => {
    const url = `${rootOf(name)}app/${'x'.repeat(5_499_000 + 1000 * index)}.enc.ttl`;
    return [rootOf(name), rememberedPod(rootOf(name), [[url, null]])] as const;
  });
  const memory = (some: typeof pods) => ({ ...emptyMemory(), pods: new Map(some) });
  const [warning] = warningsOf([], memory(pods));
  expect(warning).toContain(
    `taken by ${rootOf('d')} (26 %), ${rootOf('c')} (26 %), ${rootOf('b')} (26 %), and one Pod`,
  );
  expect(warning).not.toContain(rootOf('a'));
  expect(warningsOf([], memory(pods.slice(0, 3)))).toEqual([]);
});

test('of a memory that is full to the last byte nothing is said', () => {
  const root = rootOf('anna');
  const fullWith = (more: number) => {
    const url = (length: number) => `${root}app/${'x'.repeat(length)}.enc.ttl`;
    const room = ROOM_FOR_PODS - roomFor(root, [url(0)]);
    const pod = rememberedPod(root, [[url(room + more), null]]);
    return { ...emptyMemory(), pods: new Map([[root, pod]]) };
  };
  expect(warningsOf([], fullWith(0))).toEqual([]);
  expect(warningsOf([], fullWith(1))).toEqual([expect.stringContaining(`${root} (101 %)`)]);
});

test('of very many Pods with keys of others ten are named, in the order of their addresses', () => {
  const row = { mayHaveEntry: true, outcome: foreignKey, otherHolders: new Set(['another Pod']) };
  const names = Array.from({ length: 12 }, (_, index) => `p${31 - index}`);
  const pods = names.map((name) => podOf(rootOf(name), { [fileOf(name)]: row }));
  const named = warningsOf(pods).map((warning) => /Files of \S+\/(p\d+)\/ /.exec(warning)?.[1]);
  expect(named).toEqual(names.toReversed().slice(0, 10));
  // The same of one Pod with keys of very many.
  const owners = names.map((name) => podOfFiles(name, []));
  const otherHolders = new Set(owners.map(({ rootDigest }) => rootDigest));
  const having = podOf(rootOf('eve'), { [fileOf('eve')]: { ...row, otherHolders } });
  const others = warningsOf([...owners, having]).map(
    (warning) => /were those of \S+\/(p\d+)\/ /.exec(warning)?.[1],
  );
  expect(others).toEqual(names.toReversed().slice(0, 10));
});
