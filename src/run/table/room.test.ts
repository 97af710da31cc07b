import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyMemory } from '../../../test/support/memory-sample.js';
import { someSums } from '../../../test/support/table.js';
import { emptyMemory, type Memory, type RememberedPod } from '../../memory/memory.js';
import { writeMemory } from '../../memory/memory-format.js';
import { fitMemory } from './room.js';

const digestOf = (root: string) => `digest of ${root}`;
const bytesOf = (memory: Memory) => Buffer.byteLength(writeMemory(memory));

function samplePod(name: string, shares: number): RememberedPod {
  const root = `https://pods.example/${name}/`;
  const urls = Array.from(
    { length: shares },
    (_, index) => `${root}app/data/${index}.json.enc.ttl`,
  );
  return {
    root,
    shares: new Map(
      urls.map((url, index) => [url, { url, key: Buffer.alloc(32, index), missingOn: [] }]),
    ),
    sums: null,
  };
}

function memoryOf(pods: readonly RememberedPod[], claims: Memory['claims'] = new Map()): Memory {
  return { ...emptyMemory(), pods: new Map(pods.map((pod) => [pod.root, pod])), claims };
}

test('what fits with room to spare stays as it is', () => {
  fc.assert(
    fc.property(anyMemory, (memory) => {
      const { memory: same, gaveWay } = fitMemory(memory, digestOf, 4 * bytesOf(memory) + 10_000);
      expect(same).toBe(memory);
      expect(gaveWay.size).toBe(0);
    }),
  );
});

test('what does not fit is made to fit, the newest shares of the largest first', () => {
  fc.assert(
    fc.property(anyMemory, fc.double({ min: 0, max: 1, noNaN: true }), (memory, part) => {
      const least = bytesOf({ ...memory, pods: new Map(), claims: new Map() });
      const most = least + Math.floor(part * (bytesOf(memory) - least));
      const { memory: fitted, gaveWay } = fitMemory(memory, digestOf, most);
      expect(bytesOf(fitted)).toBeLessThanOrEqual(most);
      expect({ ...fitted, pods: null, claims: null }).toEqual({
        ...memory,
        pods: null,
        claims: null,
      });
      for (const [root, before] of memory.pods) {
        const after = fitted.pods.get(root);
        if (!gaveWay.has(digestOf(root))) expect(after).toBe(before);
        const kept = [...before.shares].slice(0, after?.shares.size ?? 0);
        expect([...(after?.shares ?? [])]).toEqual(kept);
      }
    }),
  );
});

test('only the largest gives way: first its newest shares, then its newest keys', () => {
  const [small, large] = [samplePod('small', 2), { ...samplePod('large', 40), sums: someSums }];
  const keys = Array.from({ length: 40 }, (_, index) => `key ${index}`.padEnd(22));
  const owned = keys.map((key): [string, string[]] => [key, [digestOf(large.root)]]);
  const memory = memoryOf([small, large], new Map([...owned, ['other', [digestOf(small.root)]]]));
  const left = (most: number) => {
    const { memory: fitted, gaveWay } = fitMemory(memory, digestOf, most);
    expect(fitted.pods.get(small.root)).toBe(small);
    expect(fitted.claims.has('other')).toBe(true);
    return {
      gaveWay: [...gaveWay],
      shares: fitted.pods.get(large.root)?.shares.size ?? 0,
      sums: fitted.pods.get(large.root)?.sums ?? null,
      keys: fitted.claims.size - 1,
    };
  };
  const itself = [digestOf(large.root)];
  expect(left(20_000)).toEqual({ gaveWay: [], shares: 40, keys: 40, sums: someSums });
  const some = left(2_500);
  // What is left of its shares is a part, so it has to be asked for in full before it counts again.
  expect(some).toMatchObject({ gaveWay: itself, keys: 40, sums: null });
  expect(some.shares).toBeGreaterThan(0);
  expect(some.shares).toBeLessThan(40);
  const few = left(1_500);
  expect(few).toMatchObject({ gaveWay: itself, shares: 0 });
  expect(few.keys).toBeGreaterThan(0);
  expect(few.keys).toBeLessThan(40);
});

test('many who come late push nobody out who takes no more than they do', () => {
  const pods = Array.from({ length: 100 }, (_, index) => samplePod(`pod-${index + 100}`, 1));
  const large = samplePod('large', 500);
  const memory = memoryOf([large, ...pods]);
  const room = 3 * bytesOf(memoryOf(pods));
  const { memory: fitted, gaveWay } = fitMemory(memory, digestOf, room);
  expect([...gaveWay]).toEqual([digestOf(large.root)]);
  expect(fitted.pods.get(large.root)?.shares.size).toBeGreaterThan(3);
  expect(fitted.pods.size).toBe(101);
});

test('a key that several Pods claim stays while one of them has room for it', () => {
  const [small, large] = [samplePod('small', 2), samplePod('large', 40)];
  const contested = ['a', 'b'].map((key): [string, string[]] => [
    key.padEnd(22),
    [digestOf(large.root), digestOf(small.root)],
  ]);
  const own = Array.from({ length: 100 }, (_, index): [string, string[]] => [
    `own ${index}`.padEnd(22),
    [digestOf(large.root)],
  ]);
  const memory = memoryOf([small, large], new Map([...own, ...contested]));
  const { memory: fitted, gaveWay } = fitMemory(memory, digestOf, 2_500);
  expect([...gaveWay]).toEqual([digestOf(large.root)]);
  expect(fitted.claims.size).toBeLessThan(100);
  expect([...fitted.claims]).toEqual(expect.arrayContaining(contested));
});
