import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyMemory } from '../../test/support/memory-sample.js';
import { type Claim, emptyMemory, type Memory, type RememberedPod } from './memory.js';
import { writeMemory } from './memory-format.js';
import { fitMemory } from './room.js';

const digestOf = (root: string) => `digest of ${root}`;

const bytesOf = (memory: Memory) =>
  Buffer.byteLength(writeMemory({ version: Number.MAX_SAFE_INTEGER, memory }));

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
    figures: null,
    waited: 0,
  };
}

function memoryOf(
  pods: readonly RememberedPod[],
  claims: Record<string, Record<string, Claim>> = {},
) {
  return {
    ...emptyMemory(),
    pods: new Map(pods.map((pod) => [pod.root, pod])),
    claims: new Map(
      Object.entries(claims).map(([name, keys]) => [
        digestOf(`https://pods.example/${name}/`),
        new Map(Object.entries(keys)),
      ]),
    ),
  };
}

test('what fits stays as it is', () => {
  fc.assert(
    fc.property(anyMemory, (memory) => {
      const parts = memory.pods.size + memory.claims.size;
      const { memory: same, gaveWay } = fitMemory(memory, digestOf, bytesOf(memory) + parts);
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

test('only the largest gives way: first its refused claims, then its newest shares', () => {
  const pods = [samplePod('small', 2), samplePod('large', 9)];
  const claims = {
    large: { refused: 'refused', own: 'own' },
    small: { other: 'refused' },
  } as const;
  const memory = memoryOf(pods, claims);
  const large = (less: number) => {
    const { memory: fitted } = fitMemory(memory, digestOf, bytesOf(memory) + 4 - less);
    expect(fitted.pods.get('https://pods.example/small/')).toBe(pods[0]);
    return {
      claims: [...(fitted.claims.get(digestOf('https://pods.example/large/'))?.keys() ?? [])],
      shares: [...(fitted.pods.get('https://pods.example/large/')?.shares.keys() ?? [])].length,
    };
  };
  expect(large(0)).toEqual({ claims: ['refused', 'own'], shares: 9 });
  expect(large(5)).toEqual({ claims: ['own'], shares: 9 });
  expect(large(100)).toEqual({ claims: ['own'], shares: 8 });
});

test('many who come late push nobody out who takes no more than they do', () => {
  const pods = Array.from({ length: 100 }, (_, index) => samplePod(`pod-${index + 100}`, 1));
  const large = samplePod('large', 50);
  const memory = memoryOf([large, ...pods]);
  const room = bytesOf(memoryOf(pods)) + 1000;
  const { memory: fitted, gaveWay } = fitMemory(memory, digestOf, room);
  expect([...gaveWay]).toEqual([digestOf(large.root)]);
  expect(fitted.pods.get(large.root)?.shares.size).toBeGreaterThan(3);
  expect(fitted.pods.size).toBe(101);
});
