import type { PodShares } from './pod-shares.js';
import type { SharedFile, SharedFolder } from './shared-file.js';

/** What is asked of a server in one go. */
export type Piece = { kind: 'folder'; pod: PodShares; folder: SharedFolder } | FilesPiece;

export interface FilesPiece {
  kind: 'files';
  ofPods: { pod: PodShares; files: SharedFile[] }[];
}

/** How many files and folders each Pod is asked for in the first round; each later round doubles the number. */
const FIRST_ROUND = 20;

/**
 * The order in which one server is asked, in rounds, so that small Pods are whole early and a huge Pod delays only
 * itself. In each round callers and remembered Pods come first, led by the Pods that have waited longest. New Pods
 * come last.
 */
export class ServerQueue {
  readonly #pods: readonly PodShares[];
  #round = FIRST_ROUND;
  #at = 0;
  /** Taken from the current Pod in this round. */
  #taken = 0;

  constructor(pods: readonly PodShares[]) {
    this.#pods = pods.toSorted((one, other) => compareRanks(one, other));
  }

  /** Returns a folder, or at most `mostFiles` files; null when nothing waits. A listing can still add files later. */
  next(mostFiles: number): Piece | null {
    const ofPods: { pod: PodShares; files: SharedFile[] }[] = [];
    let room = mostFiles;
    while (room > 0) {
      const pod = this.#nextPod();
      if (pod === null) break;
      if (ofPods.length > 0 && pod.isFolderNext) break;
      const taken = pod.take(Math.min(room, this.#round - this.#taken));
      if (taken === null) break;
      this.#taken += Array.isArray(taken) ? taken.length : 1;
      if (!Array.isArray(taken)) return { kind: 'folder', pod, folder: taken };
      ofPods.push({ pod, files: taken });
      room -= taken.length;
    }
    return ofPods.length === 0 ? null : { kind: 'files', ofPods };
  }

  /** The Pod whose turn it is in this round; begins another round when this one is over. */
  #nextPod(): PodShares | null {
    for (;;) {
      const pod = this.#pods[this.#at];
      if (pod === undefined) {
        if (!this.#pods.some(({ hasWaiting }) => hasWaiting)) return null;
        this.#round *= 2;
        this.#at = 0;
        continue;
      }
      if (pod.hasWaiting && this.#taken < this.#round) return pod;
      this.#at += 1;
      this.#taken = 0;
    }
  }
}

function compareRanks(one: PodShares, other: PodShares): number {
  const isNew = ({ isCaller, isRemembered }: PodShares) => Number(!isCaller && !isRemembered);
  return (
    isNew(one) - isNew(other) ||
    other.pod.waited - one.pod.waited ||
    Number(other.isCaller) - Number(one.isCaller)
  );
}
