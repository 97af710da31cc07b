import { getOrAdd } from '../../base/lists.js';
import { originSet } from '../../base/origin-set.js';
import { allowedOrigin, serversOf } from '../../config/allowed-origins.js';
import type { Config } from '../../config/schema.js';
import { canonicalResource, isFolder } from '../../pod/addresses.js';
import { isBelowSharedInbox, type Owner, ownerOfResource, podIds } from '../../pod/owner.js';

/** Of files with readings. A Pod can hold exports of the same readings beside them, which must not count twice. */
const ENDING = '.enc.ttl';
/** Of what a server keeps about a file. */
const ABOUT_A_FILE = /\.(acl|acr|meta)$/;

export type ShareRules = ReturnType<typeof shareRules>;

export type ShareClass =
  | { kind: 'data'; owner: Owner }
  /** Shared where readings are, and not named like one: in view, and skipped. */
  | { kind: 'other name'; owner: Owner }
  /** Shared, but not data that this service analyses. */
  | { kind: 'ignored' }
  /** The operator leaves out its Pod (data.excluded_pods). */
  | { kind: 'excluded' }
  | { kind: 'refused'; reason: string };

export function shareRules(config: Config, analyserRoot: string) {
  const servers = serversOf(config);
  return {
    pathFragments: config.data.path_fragments,
    excluded: config.data.excluded_pods,
    allowedOrigins: originSet(servers),
    podIdOf: podIds(analyserRoot, servers),
    podDepthOf: (origin: string) => allowedOrigin(config.data, origin)?.pod_depth ?? null,
    appDir: config.analyser.app_dir_name,
    analyserRoot: canonicalResource(analyserRoot) ?? analyserRoot,
    /** Caches the class of each folder. A file in the folder has the same class, unless its own name decides. */
    folders: new Map<string, ShareClass>(),
  };
}

/** Judges an address that a stranger may have written; `url` is canonical. */
export function classifyShare(url: string, rules: ShareRules): ShareClass {
  const { pathFragments, analyserRoot, folders } = rules;
  const hasFragment =
    pathFragments.length === 0 || pathFragments.some((fragment) => url.includes(fragment));
  if (!hasFragment || ABOUT_A_FILE.test(url) || url.startsWith(analyserRoot))
    return { kind: 'ignored' };
  const folder = url.slice(0, url.lastIndexOf('/') + 1);
  const classified = getOrAdd(folders, folder, () => classifyFolder(folder, rules));
  if (isFolder(url) || url.endsWith(ENDING)) return classified;
  return classified.kind === 'data' ? { ...classified, kind: 'other name' } : { kind: 'ignored' };
}

export function isData(url: string, rules: ShareRules): boolean {
  return classifyShare(url, rules).kind === 'data';
}

/** Whether the analysis has a share in view, so that it is read or skipped. */
export function isInView(url: string, rules: ShareRules): boolean {
  return 'owner' in classifyShare(url, rules);
}

/** Refuses addresses that spell the root of their Pod in another form: one Pod must not pass for two. */
export function misspelledIn(rules: ShareRules) {
  return (url: string, spelling: string): string | null => {
    const share = classifyShare(url, rules);
    if (!('owner' in share) || spelling.startsWith(share.owner.root)) return null;
    return `names the Pod ${share.owner.root} in another form`;
  };
}

function classifyFolder(folder: string, rules: ShareRules): ShareClass {
  const { allowedOrigins, appDir, analyserRoot, podIdOf } = rules;
  const { origin } = new URL(folder);
  if (!allowedOrigins.has(origin)) {
    return refused('it is not on the storage server nor on one of data.allowed_origins');
  }
  const owner = ownerOfResource(folder, {
    appDir,
    analyserRoot,
    podDepth: rules.podDepthOf(origin),
    podIdOf,
  });
  if (owner === null) return refused(`it is not in the folder ${appDir}/ of a Pod`);
  if (rules.excluded.some((scope) => owner.root.startsWith(scope))) return { kind: 'excluded' };
  if (isBelowSharedInbox(folder, owner, appDir)) {
    return refused('anybody may write there, so it is nobody’s data');
  }
  return { kind: 'data', owner };
}

function refused(reason: string): ShareClass {
  return { kind: 'refused', reason };
}
