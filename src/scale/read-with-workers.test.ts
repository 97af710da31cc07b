import { expect, test } from 'vitest';
import type { PodSlice } from '../run/read/read-task.js';
import { cutWork } from './read-with-workers.js';

function slice(name: string, files: number): PodSlice {
  const root = `https://pods.example.org/${name}/`;
  return {
    owner: { root, webId: `${root}profile/card#me`, podId: name, rootIs: 'certain' },
    files: Array.from({ length: files }, (_, index) => ({
      ...{ url: `${root}f${index}`, keys: [], foreignKeys: [] },
      ...{ listedIn: null, mayHaveEntry: true, objection: null, plainObjection: null },
    })),
    folders: new Map(),
  };
}

const many = (count: number, files: number) =>
  Array.from({ length: count }, (_, index) => slice(`p${index}`, files));

test.each([
  [0, 20, []],
  // Each Pod has few files: many Pods to a part, but enough parts for many workers.
  [1_000, 1, Array(100).fill(10)],
  // Never more than a hundred files or so, however many there are.
  [10_000, 20, Array(2_000).fill(5)],
  // Slices are not cut.
  [30, 20, Array(30).fill(1)],
])('%i slices of %i files make parts of so many slices', (count, files, expected) => {
  const parts = cutWork(many(count, files));
  expect(parts.map((part) => part.length)).toEqual(expected);
});

test('every slice is in one part, in order', () => {
  const slices = [slice('a', 13), slice('b', 1), slice('c', 20), slice('c', 20), slice('d', 7)];
  expect(cutWork(slices).flat()).toEqual(slices);
});
