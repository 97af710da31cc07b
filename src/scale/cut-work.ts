import type { SharedFile, SharedPod, Shares } from '../cycle/discover-shares.js';
import type { PodPiece } from './work-messages.js';

/** So much takes a worker a second or two, and is not much to do again when it dies. */
const MOST_FILES = 100;
const FEWEST_FILES = 10;
/** So many rounds for each worker even out what is fast and what is slow. */
const ROUNDS = 8;

export interface CutPiece extends PodPiece {
  of: SharedPod;
}

/** Tasks of bounded size: some Pods, or a part of a large one; in the order of the Pods. */
export function cutWork(
  shares: Pick<Shares, 'pods' | 'folderKeys'>,
  workers: number,
): CutPiece[][] {
  const files = shares.pods.reduce((sum, pod) => sum + pod.files.length, 0);
  const size = filesPerTask(files, workers);
  const tasks: CutPiece[][] = [];
  let room = 0;
  for (const pod of shares.pods) {
    const folderKeys = folderKeysOf(pod, shares);
    for (let start = 0; start < pod.files.length; ) {
      if (room === 0) {
        tasks.push([]);
        room = size;
      }
      const part: SharedFile[] = pod.files.slice(start, start + room);
      tasks.at(-1)?.push({ of: pod, owner: pod.owner, files: part, folderKeys });
      start += part.length;
      room -= part.length;
    }
  }
  return tasks;
}

function filesPerTask(files: number, workers: number): number {
  const even = Math.ceil(files / (Math.max(workers, 1) * ROUNDS));
  return Math.min(MOST_FILES, Math.max(FEWEST_FILES, even));
}

function folderKeysOf({ owner }: SharedPod, { folderKeys }: Pick<Shares, 'folderKeys'>) {
  return Array.from(folderKeys, ([url, keys]) => ({ url, keys })).filter(({ url }) =>
    url.startsWith(owner.root),
  );
}
