import { podDocuments, podIdOfRoot, webIdOfRoot } from './addresses.js';
import { ownerRootOf } from './resource-address.js';

export interface Owner {
  root: string;
  webId: string;
  podId: string;
  /**
   * `certain`: by its place on the Analyser's own server. `likely`: by its place on another one,
   * unless that says otherwise. `doubtful`: only if that server says so.
   */
  rootIs: 'certain' | 'likely' | 'doubtful';
}

export interface PodPlaces {
  appDir: string;
  analyserRoot: string;
  /** How many folders deep the Pods of this other server lie; null when nobody says. */
  podDepth: number | null;
}

/** Where Pods lie on a server of which nothing else is known: at its root, or one folder below. */
const USUAL_DEPTH = 1;

/** `url` is canonical. Null: a warning, not a Pod. */
export function ownerOfResource(url: string, places: PodPlaces): Owner | null {
  const { podDepth, ...place } = places;
  const root = ownerRootOf(url, places) ?? ownerRootOf(url, place);
  if (root === null) return null;
  const owner = { root, webId: webIdOfRoot(root), podId: podIdOfRoot(root) };
  const { origin, pathname } = new URL(root);
  if (origin === new URL(places.analyserRoot).origin) return { ...owner, rootIs: 'certain' };
  const depth = pathname.split('/').length - 2;
  const isLikely = podDepth === null ? depth <= USUAL_DEPTH : depth === podDepth;
  return { ...owner, rootIs: isLikely ? 'likely' : 'doubtful' };
}

/** Anybody may write there, so nothing below it counts as the owner's data. */
export function isBelowSharedInbox(url: string, owner: { root: string }, appDir: string): boolean {
  return url.startsWith(podDocuments(owner.root, appDir).sharedFolder);
}
