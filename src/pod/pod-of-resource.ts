import { podDocuments, webIdOfRoot } from './addresses.js';
import type { PodIdOf } from './pod-id.js';
import { ownerRootOf } from './resource-address.js';

export interface Owner {
  root: string;
  webId: string;
  podId: string;
  /**
   * `certain` on the Analyser's own server, where the address decides. On another server, a `likely` root is accepted
   * unless the server's answer names another root; a `doubtful` root is accepted only if the answer names it.
   */
  rootIs: 'certain' | 'likely' | 'doubtful';
}

export interface PodRules {
  appDir: string;
  analyserRoot: string;
  /** How many folders deep Pods lie on another server; null when the configuration does not say. */
  podDepth: number | null;
  podIdOf: PodIdOf;
}

/** Pods usually lie at the root of a server or one folder below it. */
const USUAL_DEPTH = 1;

/** `url` is canonical. Null when the address lies in no Pod, which leads to a warning. */
export function ownerOfResource(url: string, rules: PodRules): Owner | null {
  const { podDepth, podIdOf, ...others } = rules;
  const root = ownerRootOf(url, rules) ?? ownerRootOf(url, others);
  if (root === null) return null;
  const owner = { root, webId: webIdOfRoot(root), podId: podIdOf(root) };
  const { origin, pathname } = new URL(root);
  if (origin === new URL(rules.analyserRoot).origin) return { ...owner, rootIs: 'certain' };
  const depth = pathname.split('/').length - 2;
  const isLikely = podDepth === null ? depth <= USUAL_DEPTH : depth === podDepth;
  return { ...owner, rootIs: isLikely ? 'likely' : 'doubtful' };
}

/** Anybody may write to the folder `shared/` of a Pod, so nothing below it counts as the owner's data. */
export function isBelowSharedInbox(url: string, owner: { root: string }, appDir: string): boolean {
  return url.startsWith(podDocuments(owner.root, appDir).sharedFolder);
}
