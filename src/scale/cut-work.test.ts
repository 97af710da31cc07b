import { describe, expect, test } from 'vitest';
import type { SharedPod } from '../run/discover/shared-files.js';
import { cutWork } from './cut-work.js';

function pod(name: string, files: number): SharedPod {
  const root = `https://pods.example.org/${name}/`;
  return {
    owner: { root, webId: `${root}profile/card#me`, podId: name, rootIs: 'certain' },
    files: Array.from({ length: files }, (_, index) => ({
      url: `${root}f${index}`,
      keys: [],
      listedIn: null,
      isAnnounced: true,
      problem: null,
    })),
  };
}

/** Names and numbers of files, by task. */
function cut(pods: SharedPod[], workers: number): [string, number][][] {
  return cutWork({ pods, folderKeys: new Map() }, workers).map((pieces) =>
    pieces.map(({ owner, files }) => [owner.podId, files.length]),
  );
}

describe('The work', () => {
  test('of small Pods is put together, that of a large one taken apart', () => {
    expect(cut([pod('a', 4), pod('b', 25), pod('c', 1)], 1)).toEqual([
      [
        ['a', 4],
        ['b', 6],
      ],
      [['b', 10]],
      [
        ['b', 9],
        ['c', 1],
      ],
    ]);
  });

  test('is cut finer for more workers, within bounds', () => {
    const sizes = (files: number, workers: number) =>
      cut([pod('a', files)], workers).map((pieces) => pieces[0]?.[1]);
    expect(sizes(800, 2)).toEqual(Array(16).fill(50));
    expect(sizes(800, 1000)).toEqual(Array(80).fill(10));
    expect(sizes(2_000, 1)).toEqual(Array(20).fill(100));
    expect(sizes(0, 3)).toEqual([]);
  });

  test('has every file once, in order', () => {
    const pods = [pod('a', 13), pod('b', 1), pod('c', 107)];
    const pieces = cutWork({ pods, folderKeys: new Map() }, 3).flat();
    expect(pieces.flatMap(({ files }) => files)).toEqual(pods.flatMap(({ files }) => files));
    for (const { of, owner } of pieces) expect(of.owner).toBe(owner);
  });

  test('carries the keys of shared folders to their own Pod alone', () => {
    const [one, other] = [pod('a', 1), pod('b', 1)];
    const keys = [Buffer.alloc(32, 1)];
    const folderKeys = new Map([[`${one.owner.root}data/`, keys]]);
    const [pieces = []] = cutWork({ pods: [one, other], folderKeys }, 1);
    expect(pieces.map((piece) => piece.folderKeys)).toEqual([
      [{ url: `${one.owner.root}data/`, keys }],
      [],
    ]);
  });
});
