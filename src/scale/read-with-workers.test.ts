import { describe, expect, test } from 'vitest';
import type { SharedPod } from '../run/discover/shared-files.js';
import { cutWork } from './read-with-workers.js';

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
function cut(pods: SharedPod[]): [string, number][][] {
  return cutWork({ pods, folderKeys: new Map() }).map((part) =>
    part.pods.map(({ owner, files }) => [owner.podId, files.length]),
  );
}

describe('The work', () => {
  test('of small Pods is put together, that of a large one taken apart', () => {
    expect(cut([pod('a', 4), pod('b', 25), pod('c', 1)])).toEqual([
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

  test('is cut into enough parts for many workers, within bounds', () => {
    const sizes = (files: number) => cut([pod('a', files)]).map((pieces) => pieces[0]?.[1]);
    expect(sizes(0)).toEqual([]);
    expect(sizes(30)).toEqual([10, 10, 10]);
    expect(sizes(2_000)).toEqual(Array(100).fill(20));
    expect(sizes(20_000)).toEqual(Array(200).fill(100));
  });

  test('has every file once, in order', () => {
    const pods = [pod('a', 13), pod('b', 1), pod('c', 107)];
    const pieces = cutWork({ pods, folderKeys: new Map() }).flatMap((part) => part.pods);
    const told = (ones: readonly SharedPod[]) =>
      ones.flatMap(({ owner, files }) => files.map(({ url }) => [owner.podId, url]));
    expect(told(pieces)).toEqual(told(pods));
  });

  test('carries the keys of the shared folders that its files lie in, and no others', () => {
    const pods = [pod('a', 10), pod('b', 10)];
    const keys = [Buffer.alloc(32, 1)];
    const [own, deeper] = ['https://pods.example.org/a/', 'https://pods.example.org/b/deeper/'];
    const folderKeys = new Map([own, deeper].map((folder) => [folder, keys]));
    const parts = cutWork({ pods, folderKeys });
    expect(parts.map((part) => [...part.folderKeys])).toEqual([[[own, keys]], []]);
  });
});
