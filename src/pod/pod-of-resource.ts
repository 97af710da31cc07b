import { podDocuments, podIdOfRoot, webIdOfRoot } from './addresses.js';
import { ownerRootOf } from './resource-address.js';

export interface Owner {
  root: string;
  webId: string;
  podId: string;
}

/** POD-FORMATS 8; `url` is canonical. Null: a warning, not a Pod. */
export function ownerOfResource(
  url: string,
  place: { appDir: string; analyserRoot: string },
): Owner | null {
  const root = ownerRootOf(url, place);
  return root === null ? null : { root, webId: webIdOfRoot(root), podId: podIdOfRoot(root) };
}

/** Anybody may write there, so nothing below it counts as the owner's data. */
export function isBelowSharedInbox(url: string, owner: { root: string }, appDir: string): boolean {
  return url.startsWith(podDocuments(owner.root, appDir).sharedFolder);
}
