import { createHash } from 'node:crypto';
import { encodeSegment, parentFolder, podDocuments, webIdOfRoot } from './addresses.js';

/** A pod_id becomes the name of files and folders, here and on the server. */
const LONGEST = 200;
const KEPT_OF_LONG = 150;
const DIGEST_LENGTH = 40;
const ENDS_LIKE_A_DIGEST = /-[0-9a-f]{40}$/;

/** `https://host/alice/` → `host-alice`, as in the app. One too long for a file name ends in a digest. */
export function podIdOfRoot(root: string): string {
  const podId = formula(root);
  return Buffer.byteLength(podId) <= LONGEST ? podId : withDigest(podId, podId);
}

export type PodIdOf = (root: string) => string;

/**
 * Charts and results are named after the pod_id, so each Pod needs one of its own. The app's formula is safe for Pods
 * beside the Analyser's, and for Pods at most one folder deep on another server, unless a configured server is too
 * similar. Any other pod_id ends in a digest of the root, and so does one that looks as if it had a digest already.
 * `addresses` are those of all configured servers.
 */
export function podIds(analyserRoot: string, addresses: readonly string[]): PodIdOf {
  const analyser = new URL(analyserRoot);
  const hosts = addresses.filter((address) => !address.includes('*')).map((each) => new URL(each));
  return (root) => {
    const { origin, host, pathname } = new URL(root);
    const isSafe =
      origin === analyser.origin
        ? parentFolder(root) === parentFolder(analyserRoot)
        : pathname.split('/').length <= 3 && !isAmbiguous(origin, host, hosts);
    const podId = formula(root);
    if (isSafe && !ENDS_LIKE_A_DIGEST.test(podId)) return podIdOfRoot(root);
    return withDigest(podId, root);
  };
}

function isAmbiguous(origin: string, host: string, others: readonly URL[]): boolean {
  return others.some(
    (other) =>
      other.origin !== origin &&
      (other.host === host ||
        host.startsWith(`${other.host}-`) ||
        other.host.startsWith(`${host}-`)),
  );
}

function formula(root: string): string {
  return root
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '')
    .replaceAll('/', '-');
}

function withDigest(podId: string, text: string): string {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH);
  const kept = Buffer.from(podId)
    .toString('utf8', 0, KEPT_OF_LONG)
    .replace(/(?:\uFFFD|%[0-9A-F]?)$/i, '');
  return `${kept}-${digest}`;
}

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

interface PodRules {
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

function depthOf(folder: string): number {
  return folder.split('/').length - 2;
}

/** Anybody may write to the folder `shared/` of a Pod, so nothing below it counts as the owner's data. */
export function isBelowSharedInbox(url: string, owner: { root: string }, appDir: string): boolean {
  return url.startsWith(podDocuments(owner.root, appDir).sharedFolder);
}
