import { createHash } from 'node:crypto';
import { parentFolder } from './resource-address.js';

/** A pod_id becomes the name of files and folders, here and on the server. */
const LONGEST = 200;
const KEPT_OF_LONG = 150;
const DIGEST_LENGTH = 40;
const ENDS_LIKE_A_DIGEST = /-[0-9a-f]{40}$/;

/**
 * The formula of the app: `https://host/alice/` → `host-alice`; a port and the case of letters are kept. A pod_id too
 * long for a file name is cut, and ends in a digest of the whole.
 */
export function podIdOfRoot(root: string): string {
  const podId = formula(root);
  return Buffer.byteLength(podId) <= LONGEST ? podId : withDigest(podId, podId);
}

export type PodIdOf = (root: string) => string;

/**
 * Gives each Pod a pod_id of its own, because its charts and results are named after it. The app's pod_id is used where
 * that is safe: for Pods beside the Analyser's, and for Pods at most one folder deep on another server, unless a
 * configured server is too similar. Any other pod_id ends in a digest of the root, and so does one that looks as if it
 * had a digest already.
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

/** Whether only the schemes differ, or one of the two hosts begins with the other and a hyphen. */
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

function withDigest(podId: string, of: string): string {
  const digest = createHash('sha256').update(of).digest('hex').slice(0, DIGEST_LENGTH);
  const kept = Buffer.from(podId)
    .toString('utf8', 0, KEPT_OF_LONG)
    .replace(/(?:\uFFFD|%[0-9A-F]?)$/i, '');
  return `${kept}-${digest}`;
}
