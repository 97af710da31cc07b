import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyMemory } from '../../test/support/memory-sample.js';
import { emptyMemory, type Memory, type RememberedPod } from './memory.js';
import { writeMemory } from './memory-format.js';
import { fitMemory } from './room.js';

const digestOfKey = (key: Buffer) => key.toString('base64url').slice(0, 22);

const bytesOf = (memory: Memory) =>
  Buffer.byteLength(writeMemory({ version: 1, isGuarded: true, memory }));

/** Keys of shares have their digests, as they always do. */
const memoryWithDigests = anyMemory.map((memory) => ({
  ...memory,
  pods: new Map(
    [...memory.pods].map(([root, pod]): [string, RememberedPod] => {
      const used = [...pod.shares.values()].flatMap(({ key }) => (key ? [digestOfKey(key)] : []));
      const keys = new Map([...pod.keys, ...used.map((digest) => [digest, 'own'] as const)]);
      return [root, { ...pod, keys }];
    }),
  ),
}));

/** What a Pod keeps before anybody keeps a second share. */
function leastOf(pod: RememberedPod): RememberedPod {
  const [first] = pod.shares.values();
  const digest = first?.key ? digestOfKey(first.key) : null;
  const isOwn = digest !== null && pod.keys.get(digest) === 'own';
  return {
    ...pod,
    shares: new Map(first ? [[first.url, first]] : []),
    keys: new Map(isOwn ? [[digest, 'own']] : []),
  };
}

const withPods = (memory: Memory, pods: readonly RememberedPod[]): Memory => ({
  ...memory,
  pods: new Map(pods.map((pod) => [pod.root, pod])),
});

const bytesOfPod = (pod: RememberedPod) => bytesOf(withPods(emptyMemory(), [pod]));

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

function samplePod(name: string, shares: number, keys: RememberedPod['keys']): RememberedPod {
  const root = `https://pods.example/${name}/`;
  const urls = Array.from(
    { length: shares },
    (_, index) => `${root}app/data/${index}.json.enc.ttl`,
  );
  return {
    root,
    spelling: root,
    shares: new Map(
      urls.map((url, index) => [
        url,
        { url, key: Buffer.alloc(32, index), missingOn: [], wasNotAsked: false },
      ]),
    ),
    figures: null,
    keys,
  };
}

test('what fits stays as it is', () => {
  fc.assert(
    fc.property(memoryWithDigests, (memory) => {
      const { memory: same, gaveWay } = fitMemory(memory, digestOfKey, bytesOf(memory) + 20);
      expect(same).toBe(memory);
      expect(gaveWay).toEqual([]);
    }),
  );
});

test('what does not fit is made to fit, and everybody keeps a share and their figures', () => {
  fc.assert(
    fc.property(memoryWithDigests, fc.double({ min: 0, max: 1, noNaN: true }), (memory, part) => {
      // What is left out of an entry that is empty now is counted as room that it takes.
      const least =
        bytesOf(withPods(memory, [...memory.pods.values()].map(leastOf))) +
        30 * memory.pods.size +
        20;
      const most = least + Math.floor(part * Math.max(0, bytesOf(memory) - least));
      const { memory: fitted, gaveWay } = fitMemory(memory, digestOfKey, most);
      expect(bytesOf(fitted)).toBeLessThanOrEqual(most);
      expect({ ...fitted, pods: null }).toEqual({ ...memory, pods: null });
      expect([...fitted.pods.keys()]).toEqual([...memory.pods.keys()]);
      for (const [root, before] of memory.pods) {
        const after = fitted.pods.get(root);
        if (!gaveWay.includes(root)) expect(after).toBe(before);
        const first = [...before.shares].slice(0, 1);
        expect([...(after?.shares ?? [])].slice(0, 1)).toEqual(first);
        expect(after?.figures).toEqual(before.figures);
        // The newest go first, and before them what protects no share.
        const kept = [...before.shares].slice(0, after?.shares.size);
        expect([...(after?.shares ?? [])]).toEqual(kept);
        const hasLostShares = after?.shares.size !== before.shares.size;
        if (hasLostShares) expect([...(after?.keys.values() ?? [])]).not.toContain('refused');
      }
      const couldGive = (pod: RememberedPod) => bytesOfPod(pod) > bytesOfPod(leastOf(pod));
      const [lost, whole] = partition([...memory.pods.values()].filter(couldGive), ({ root }) =>
        gaveWay.includes(root),
      );
      const smallestLoser = Math.min(...lost.map(bytesOfPod));
      for (const pod of whole) expect(bytesOfPod(pod)).toBeLessThanOrEqual(smallestLoser);
    }),
  );
});

test('only the largest gives way: first what protects no share, then its newest shares', () => {
  const own = digestOfKey(Buffer.alloc(32, 0));
  const loose = new Map<string, 'own' | 'refused'>([
    ['a claim', 'refused'],
    [own, 'own'],
    ['of an ended share', 'own'],
  ]);
  const pods = [samplePod('small', 2, new Map()), samplePod('large', 9, loose)];
  const memory = withPods(emptyMemory(), pods);
  const large = (less: number) =>
    fitMemory(memory, digestOfKey, bytesOf(memory) + 15 - less).memory.pods.get(
      'https://pods.example/large/',
    );
  expect([...(large(1)?.keys.keys() ?? [])]).toEqual([own, 'of an ended share']);
  expect([...(large(30)?.keys.keys() ?? [])]).toEqual([own]);
  expect(large(30)?.shares.size).toBe(9);
  const names = [...(large(200)?.shares.keys() ?? [])].map((url) => url.replace(/.*\//, ''));
  expect(names).toEqual([0, 1, 2, 3, 4, 5, 6].map((index) => `${index}.json.enc.ttl`));
});

test('of many Pods with one share each, as many stay as there is room for', () => {
  const pods = Array.from({ length: 100 }, (_, index) =>
    samplePod(`pod-${String(index).padStart(3, '0')}`, 1, new Map()),
  );
  const memory = withPods(emptyMemory(), pods);
  const { memory: fitted, gaveWay } = fitMemory(memory, digestOfKey, bytesOf(memory) / 2);
  expect([...fitted.pods.values()]).toEqual(pods.slice(0, fitted.pods.size));
  expect(fitted.pods.size).toBeGreaterThan(45);
  expect(gaveWay).toEqual(pods.slice(fitted.pods.size).map(({ root }) => root));
});
