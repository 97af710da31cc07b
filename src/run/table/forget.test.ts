import { expect, test } from 'vitest';
import { someSums } from '../../../test/support/table.js';
import { emptyMemory, type Memory, type RememberedPod } from '../../memory/memory.js';
import { forget } from './forget.js';

function samplePod(root: string, first: number): RememberedPod {
  const urls = [`${root}app/data/a.enc.ttl`, `${root}app/old/b.enc.ttl`];
  const keys = urls.map((_, index) => Buffer.alloc(32, first + index));
  return {
    root,
    shares: new Map(
      urls.map((url, index) => [url, { url, ownKey: keys[index] ?? null, missingOn: [] }]),
    ),
    folders: new Map(urls.map((url) => [url.slice(0, url.lastIndexOf('/') + 1), null])),
    sums: null,
  };
}

const anna = samplePod('https://pods.example/anna/', 1);
const annabel = samplePod('https://pods.example/annabel/', 3);
const bob = samplePod('https://other.example/bob/', 5);
const memory: Memory = {
  ...emptyMemory(),
  pods: new Map([anna, annabel, bob].map((pod) => [pod.root, pod])),
  claims: new Map([['digest of a key', ['digest of anna']]]),
};

test.each([
  ['a Pod', anna.root, [annabel.root, bob.root], 2],
  ['a server', 'https://pods.example/', [bob.root], 4],
  ['everything', null, [], 6],
  ['an address of nobody', 'https://pods.example/ann/', [anna.root, annabel.root, bob.root], 0],
])('[1.9] %s is forgotten, but not whose key is whose', (_name, below, left, shares) => {
  const forgotten = forget(memory, below);
  expect([...forgotten.memory.pods.keys()]).toEqual(left);
  expect(forgotten.shares).toBe(shares);
  expect(forgotten.memory).toMatchObject({ claims: memory.claims, releases: memory.releases });
});

test('[8.3] a folder of a Pod is forgotten alone, and the figures that rest on it', () => {
  const pods = new Map([...memory.pods, [anna.root, { ...anna, sums: someSums }]]);
  const before = { ...memory, pods };
  const { memory: left, shares, roots } = forget(before, `${anna.root}app/old/`);
  expect(left.pods.get(anna.root)?.sums).toBeNull();
  expect({ shares, roots }).toEqual({ shares: 1, roots: [anna.root] });
  const pod = left.pods.get(anna.root);
  expect([...(pod?.shares.keys() ?? [])]).toEqual([`${anna.root}app/data/a.enc.ttl`]);
  expect([...(pod?.folders.keys() ?? [])]).toEqual([`${anna.root}app/data/`]);
});

test('[8.3] figures go with their Pod, also where no share is remembered any more', () => {
  const sums = { ...anna, shares: new Map(), sums: someSums };
  const pods = new Map([[anna.root, sums]]);
  for (const below of [anna.root, 'https://pods.example/', null]) {
    const { memory: left, roots, shares } = forget({ ...memory, pods }, below);
    expect([left.pods.size, roots, shares]).toEqual([0, [anna.root], 0]);
  }
});

test('of a Pod in whose folder nothing is remembered, nothing is forgotten; with its last share the Pod goes', () => {
  const nothing = forget(memory, `${anna.root}app/nowhere/`);
  expect(nothing).toEqual({ memory, shares: 0, roots: [] });
  const all = forget(memory, `${anna.root}app/`);
  expect([all.shares, all.memory.pods.has(anna.root)]).toEqual([2, false]);
});
