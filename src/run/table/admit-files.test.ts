import { expect, test } from 'vitest';
import { type GivenRow, podOf, readWith, rememberedPod } from '../../../test/support/table.js';
import { emptyMemory, type Memory } from '../../memory/memory.js';
import { roomFor } from '../../memory/room.js';
import { copiedBy, isFor, notRead } from '../../pod/outcome.js';
import { admitFiles } from './admit-files.js';
import { filesOf, type Pod } from './row.js';

const key = Buffer.alloc(32, 7);
const rootOf = (name: string) => `https://pods.example/${name}/`;
const filesOfPod = (name: string, count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `${rootOf(name)}app/${100 + from + index}.enc.ttl`);
const read: GivenRow = { outcome: readWith(key) };

/** A Pod with so many remembered files, and new ones that were read. */
function podWith(name: string, { known = 0, fresh = 0, memory = emptyMemory() }): Pod {
  const urls = filesOfPod(name, known + fresh);
  return podOf(rootOf(name), Object.fromEntries(urls.map((url) => [url, read])), memory);
}

/** A memory of some files of each Pod. */
function remembering(counts: Record<string, number>): Memory {
  const pods = Object.entries(counts).map(([name, count]) =>
    rememberedPod(
      rootOf(name),
      filesOfPod(name, count).map((url) => [url, key]),
    ),
  );
  return { ...emptyMemory(), pods: new Map(pods.map((pod) => [pod.root, pod])) };
}

const roomOfFiles = (count: number) => roomFor(rootOf('anna'), filesOfPod('anna', count));
const waiting = (pod: Pod) =>
  filesOf(pod).filter(({ outcome }) => isFor(outcome, 'no room')).length;
const ample = 1_000_000;

test('[1.5] all come in while there is room for the last of them', () => {
  const pods = ['anna', 'bert'].map((name) => podWith(name, { fresh: 3 }));
  const room = 2 * roomOfFiles(3);
  admitFiles(pods, emptyMemory(), { forPods: room, forOne: ample });
  expect(pods.map(waiting)).toEqual([0, 0]);
  admitFiles(pods, emptyMemory(), { forPods: room - 1, forOne: ample });
  // All of one Pod, none of them a part.
  expect(pods.map(waiting).sort()).toEqual([0, 3]);
});

test('[1.5] a small addition comes before a large one, whoever stands first', () => {
  const large = podWith('anna', { fresh: 5 });
  const small = podWith('bert', { fresh: 1 });
  admitFiles([large, small], emptyMemory(), { forPods: roomOfFiles(5), forOne: ample });
  expect([large, small].map(waiting)).toEqual([5, 0]);
});

test('[1.6] one Pod may not take more than its part, with what it has already', () => {
  const memory = remembering({ anna: 2 });
  const anna = podWith('anna', { known: 2, fresh: 2, memory });
  admitFiles([anna], memory, { forPods: ample, forOne: roomOfFiles(4) });
  expect(waiting(anna)).toBe(0);
  admitFiles([anna], memory, { forPods: ample, forOne: roomOfFiles(4) - 1 });
  expect(filesOf(anna).map(({ known, outcome }) => [known !== null, outcome.kind])).toEqual([
    [true, 'read'],
    [true, 'read'],
    [false, 'not read'],
    [false, 'not read'],
  ]);
});

test('[1.5] Pods that are not asked keep their room, and what a known Pod has is not counted again', () => {
  const memory = remembering({ anna: 2, elsewhere: 3 });
  const anna = podWith('anna', { known: 2, fresh: 1, memory });
  const room = roomOfFiles(3) + roomFor(rootOf('elsewhere'), filesOfPod('elsewhere', 3));
  admitFiles([anna], memory, { forPods: room, forOne: ample });
  expect(waiting(anna)).toBe(0);
  admitFiles([anna], memory, { forPods: room - 1, forOne: ample });
  expect(waiting(anna)).toBe(1);
});

test('what does not count needs no room, and the key of what waits is told', () => {
  const [first = '', second = '', third = ''] = filesOfPod('anna', 3);
  const pod = podOf(rootOf('anna'), {
    [first]: read,
    [second]: { outcome: notRead('no key', '') },
    [third]: { outcome: copiedBy(key) },
  });
  admitFiles([pod], emptyMemory(), { forPods: roomOfFiles(1), forOne: ample });
  expect(waiting(pod)).toBe(0);
  admitFiles([pod], emptyMemory(), { forPods: 0, forOne: ample });
  expect(filesOf(pod).map(({ outcome }) => outcome)).toMatchObject([
    { because: 'no room', key },
    { because: 'no key' },
    { because: 'copied key' },
  ]);
});

test('[1.5] a new Pod of which nothing was read takes no room from others', () => {
  const [refused = ''] = filesOfPod('bert', 1);
  const nothing = podOf(rootOf('bert'), { [refused]: { outcome: notRead('no key', '') } });
  const anna = podWith('anna', { fresh: 1 });
  admitFiles([nothing, anna], emptyMemory(), { forPods: roomOfFiles(1), forOne: ample });
  expect(waiting(anna)).toBe(0);
});
