import { parentFolder } from '../pod/resource-address.js';
import type { SharedFile, SharedPod, Shares } from '../run/discover/shared-files.js';
import type { PodPiece } from './work-messages.js';

/** So much takes a worker a second or two, and is not much to do again when it dies. */
const MOST_FILES = 100;
const FEWEST_FILES = 10;
/** So many rounds for each worker even out what is fast and what is slow. */
const ROUNDS = 8;

type Keyed = PodPiece['folderKeys'][number];

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
  const keysByRoot = folderKeysByRoot(shares);
  let room = 0;
  for (const pod of shares.pods) {
    const folderKeys = keysByRoot.get(pod.owner.root) ?? [];
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

/** Each folder is looked at once: there can be one for each of ten thousand Pods. */
function folderKeysByRoot({ pods, folderKeys }: Pick<Shares, 'pods' | 'folderKeys'>) {
  const byRoot = new Map(pods.map(({ owner }) => [owner.root, new Array<Keyed>()]));
  for (const [url, keys] of folderKeys) {
    for (let root = url; root !== ''; root = parentFolder(root)) {
      byRoot.get(root)?.push({ url, keys });
    }
  }
  return byRoot;
}
