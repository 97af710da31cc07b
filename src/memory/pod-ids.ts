import { createHash } from 'node:crypto';
import { podIdOfRoot } from '../pod/addresses.js';

/** A spelling of the root of a Pod that was read, or is remembered. */
export interface NamedPod {
  /** Canonical. */
  root: string;
  spelling: string;
}

const DIGEST_LENGTH = 12;

/**
 * The pod_id of each spelling. Charts and keys hang on a pod_id, so one that was given is never
 * given to another Pod: who comes second gets one that ends in a digest. `given` holds digests of the
 * ids with those of the roots.
 */
export function givePodIds(
  pods: readonly NamedPod[],
  given: ReadonlyMap<string, string>,
  { ofId, ofRoot }: { ofId: (podId: string) => string; ofRoot: (root: string) => string },
  home: string,
): { ids: Map<string, string>; given: ReadonlyMap<string, string> } {
  const all = new Map(given);
  const ids = new Map<string, string>();
  const isAtHome = ({ root }: NamedPod) => root.startsWith(`${home}/`);
  const isOwn = ({ root, spelling }: NamedPod) =>
    given.get(ofId(podIdOfRoot(spelling))) === ofRoot(root);
  const rank = (pod: NamedPod) => (isOwn(pod) ? 0 : isAtHome(pod) ? 1 : 2);
  const inOrder = pods.toSorted(
    (one, other) => rank(one) - rank(other) || (one.root < other.root ? -1 : 1),
  );
  for (const { root, spelling } of inOrder) {
    const holder = ofRoot(root);
    const isFree = (id: string) => (all.get(ofId(id)) ?? holder) === holder;
    let id = podIdOfRoot(spelling);
    // Somebody can have taken the next one as well, as it can be worked out.
    for (let count = 1; !isFree(id); count += 1) id = secondId(podIdOfRoot(spelling), root, count);
    all.set(ofId(id), holder);
    ids.set(spelling, id);
  }
  return { ids, given: all.size === given.size ? given : all };
}

function secondId(podId: string, root: string, count: number): string {
  const digest = createHash('sha256').update(`${root} ${count}`).digest('hex');
  return podIdOfRoot(`${podId}-${digest.slice(0, DIGEST_LENGTH)}`);
}
