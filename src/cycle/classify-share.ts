import type { Config } from '../config/schema.js';
import { isBelowSharedInbox, type Owner, ownerOfResource } from '../pod/pod-of-resource.js';

export interface ShareRules {
  pathFragments: readonly string[];
  allowedOrigins: ReadonlySet<string>;
  appDir: string;
  analyserRoot: string;
}

export type ShareClass =
  | { kind: 'data'; owner: Owner }
  /** Shared, but not what this service is for. */
  | { kind: 'ignored' }
  | { kind: 'refused'; reason: string };

export function shareRules(config: Config, analyserRoot: string): ShareRules {
  const origins = [config.analyser.server_url, ...config.data.allowed_origins];
  return {
    pathFragments: config.data.path_fragments,
    allowedOrigins: new Set(origins.map((address) => new URL(address).origin)),
    appDir: config.analyser.app_dir_name,
    analyserRoot,
  };
}

/** Judges an address that a stranger may have written into the inbox; `url` is canonical. */
export function classifyShare(url: string, rules: ShareRules): ShareClass {
  const { pathFragments, allowedOrigins, appDir, analyserRoot } = rules;
  const isWanted =
    pathFragments.length === 0 || pathFragments.some((fragment) => url.includes(fragment));
  if (!isWanted || url.startsWith(analyserRoot)) return { kind: 'ignored' };
  if (!allowedOrigins.has(new URL(url).origin)) {
    return refused('it is not on the storage server nor on one of data.allowed_origins');
  }
  const owner = ownerOfResource(url, { appDir, analyserRoot });
  if (owner === null) return refused(`it is not in the folder ${appDir}/ of a Pod`);
  if (isBelowSharedInbox(url, owner, appDir)) {
    return refused('anybody may write there, so it is nobody’s data');
  }
  if (/\.(acl|acr|meta)$/i.test(url)) return refused('it is not a file of readings');
  return { kind: 'data', owner };
}

function refused(reason: string): ShareClass {
  return { kind: 'refused', reason };
}
