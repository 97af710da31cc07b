import { podDocuments, webIdOfRoot } from './addresses.js';
import type { PodIdOf } from './pod-id.js';
import { encodeSegment } from './resource-address.js';

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

/**
 * The Pod whose `<app>/` folder holds a resource; `url` is canonical. Null when the address lies in no Pod, which leads
 * to a warning. On the Analyser's own server only Pods as deep as the Analyser's are accepted: otherwise a folder in one
 * Pod could take the pod_id of another.
 */
export function ownerOfResource(
  url: string,
  { appDir, analyserRoot, podDepth, podIdOf }: PodRules,
): Owner | null {
  const { origin, pathname } = new URL(url);
  const analyser = new URL(analyserRoot);
  const isOwnServer = origin === analyser.origin;
  const usual = isOwnServer ? depthOf(analyser.pathname) : podDepth;
  const segments = pathname.slice(1).split('/');
  const isAt = (depth: number) =>
    segments[depth] === encodeSegment(appDir) && depth < segments.length - 1;
  const elsewhere = isOwnServer ? -1 : segments.indexOf(encodeSegment(appDir));
  const depth = usual !== null && isAt(usual) ? usual : elsewhere;
  if (!isAt(depth)) return null;
  const root = [origin, ...segments.slice(0, depth), ''].join('/');
  const owner = { root, webId: webIdOfRoot(root), podId: podIdOf(root) };
  if (isOwnServer) return { ...owner, rootIs: 'certain' };
  const isLikely = podDepth === null ? depth <= USUAL_DEPTH : depth === podDepth;
  return { ...owner, rootIs: isLikely ? 'likely' : 'doubtful' };
}

/** How many folders deep the content of a folder lies. */
function depthOf(folder: string): number {
  return folder.split('/').length - 2;
}

/** Anybody may write to the folder `shared/` of a Pod, so nothing below it counts as the owner's data. */
export function isBelowSharedInbox(url: string, owner: { root: string }, appDir: string): boolean {
  return url.startsWith(podDocuments(owner.root, appDir).sharedFolder);
}
