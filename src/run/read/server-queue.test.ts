import { expect, test } from 'vitest';
import { podIdOfRoot } from '../../pod/pod-id.js';
import { PodShares } from './pod-shares.js';
import { type Piece, ServerQueue } from './server-queue.js';

interface Made {
  files: number;
  isRemembered?: boolean;
  waited?: number;
  isCaller?: boolean;
  folders?: number;
}

function podOf(
  name: string,
  { files, folders = 0, isRemembered = false, waited = 0, isCaller = false }: Made,
): PodShares {
  const root = `https://pods.example/${name}/`;
  const webId = `${root}profile/card#me`;
  const urls = [
    ...Array.from({ length: folders }, (_, n) => `${root}app/data/${n}/`),
    ...Array.from({ length: files }, (_, n) => `${root}app/f${n}`),
  ];
  const shares = urls.map((url) => ({
    ...{ url, keys: [], rememberedKey: null, foreignKeys: [] },
    ...{ mayHaveEntry: true, isRemembered },
  }));
  const owner = { root, webId, podId: podIdOfRoot(root), rootIs: 'certain' as const };
  return new PodShares({ owner, shares, waited }, isCaller ? [webId] : []);
}

/** What is asked, one piece after the other: the name of the Pod, and how many files or a folder. */
function all(queue: ServerQueue, most: number): string[] {
  const nameOf = (pod: PodShares) => pod.owner.root.split('/').at(-2) ?? '';
  const describe = (piece: Piece) =>
    piece.kind === 'folder'
      ? `${nameOf(piece.pod)} folder`
      : piece.ofPods.map(({ pod, files }) => `${nameOf(pod)} ${files.length}`).join(', ');
  const pieces: string[] = [];
  for (let piece = queue.next(most); piece !== null; piece = queue.next(most)) {
    pieces.push(describe(piece));
  }
  return pieces;
}

test('whoever waited longest comes first, then callers, then what was read before, then new Pods', () => {
  const queue = new ServerQueue([
    podOf('new', { files: 1 }),
    podOf('known', { files: 1, isRemembered: true }),
    podOf('caller', { files: 1, isCaller: true }),
    podOf('late', { files: 1, isRemembered: true, waited: 2 }),
    podOf('later', { files: 1, isRemembered: true, waited: 3, isCaller: true }),
  ]);
  expect(all(queue, 1)).toEqual(['later 1', 'late 1', 'caller 1', 'known 1', 'new 1']);
});

test('in each round every Pod has its turn, and twice as many files as in the one before', () => {
  const queue = new ServerQueue([podOf('huge', { files: 150 }), podOf('small', { files: 30 })]);
  expect(all(queue, 1000)).toEqual(['huge 20, small 20, huge 40, small 10, huge 80, huge 10']);
});

test('a part has no more files than are wanted, of as many Pods as it takes', () => {
  const queue = new ServerQueue([podOf('one', { files: 3 }), podOf('two', { files: 3 })]);
  expect(all(queue, 2)).toEqual(['one 2', 'one 1, two 1', 'two 2']);
});

test('folders are asked for one by one, before the files of their Pod', () => {
  const queue = new ServerQueue([
    podOf('one', { files: 2, folders: 1 }),
    podOf('two', { files: 2, folders: 1 }),
  ]);
  expect(all(queue, 10)).toEqual(['one folder', 'one 2', 'two folder', 'two 2']);
});
