import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyPod } from '../../test/support/memory-sample.js';
import { emptyMemory, type RememberedPod } from './memory.js';
import { MOST_SEALED_BYTES, storePod, writeMemory } from './memory-format.js';
import { MOST_CLAIMS, ROOM_FOR_ONE_POD, ROOM_FOR_PODS, roomFor } from './room.js';

const key = Buffer.alloc(32, 7);

/** The same Pod when every share is missing, and nothing takes its key from a folder. */
function atItsLargest(pod: RememberedPod, folderOf: (url: string) => string): RememberedPod {
  const missingOn = Array.from({ length: 9 }, (_, day) => 99_990 + day);
  const shares = Array.from(
    pod.shares.keys(),
    (url) => [url, { url, ownKey: key, missingOn }] as const,
  );
  const folders = [...pod.shares.keys()].map((url) => [folderOf(url), key] as const);
  return { ...pod, shares: new Map(shares), folders: new Map(folders) };
}

test('[1.7] the room of a Pod is enough for it, whatever becomes of its shares', () => {
  fc.assert(
    fc.property(anyPod, (pod) => {
      const largest = atItsLargest(pod, (url) => url.slice(0, url.lastIndexOf('/') + 1));
      const sums = pod.sums && { ...pod.sums, rules: 'r'.repeat(16) };
      const text = JSON.stringify(storePod({ ...largest, sums }));
      expect(`${text},`.length).toBeLessThanOrEqual(roomFor(pod.root, pod.shares.keys()));
    }),
  );
});

test('[1.5] the room of all Pods and the most claims leave two megabytes for the rest', () => {
  // The largest: one key for each Pod.
  const digest = 'd'.repeat(19);
  const claims = Array.from({ length: 1000 }, (_, index): [string, string[]] => [
    `${digest}${100 + index}`.slice(0, 22),
    [`${digest}${100 + index}`.slice(0, 22)],
  ]);
  const bytesOf = (memory: typeof claims) =>
    writeMemory({ ...emptyMemory(), claims: new Map(memory) }).length;
  const perClaim = (bytesOf(claims) - bytesOf([])) / new Map(claims).size;
  const text = ROOM_FOR_PODS + Math.ceil(perClaim) * MOST_CLAIMS + 2_000_000;
  expect((text * 4) / 3).toBeLessThan(MOST_SEALED_BYTES);
});

test('[1.6] a share takes about 200 bytes at most, so that there is room for a hundred thousand, and for years of one person', () => {
  const files = (count: number) =>
    Array.from(
      { length: count },
      (_, index) =>
        `https://pods.example/anna/app/data/blood_pressure/bp_2026-08-19T09-15-${100_000 + index}.json.enc.ttl`,
    );
  expect(roomFor('https://pods.example/anna/', files(100_000))).toBeLessThan(ROOM_FOR_PODS);
  expect(roomFor('https://pods.example/anna/', files(17_000))).toBeLessThan(ROOM_FOR_ONE_POD);
  expect(ROOM_FOR_ONE_POD).toBeLessThan(ROOM_FOR_PODS / 2);
});

test('[1.7] a longer address of a Pod or of a folder takes more room', () => {
  const room = (root: string, folder: string) => roomFor(root, [`${root}${folder}/x.ttl`]);
  const short = room('https://pods.example/a/', 'f');
  expect(room('https://pods.example/anna/', 'f')).toBe(short + 3);
  // Of the file and of its folder.
  expect(room('https://pods.example/a/', 'folder')).toBe(short + 2 * 5);
});
