import { createHash } from 'node:crypto';
import { canonicalResource, encodeSegment } from './resource-address.js';

const CARD = 'profile/card';
const LONGEST_WEB_ID = 2048;

export interface WebId {
  webId: string;
  /** The Pod root, with its trailing slash. */
  root: string;
}

/**
 * Accepts what names a person's Pod by the rule of the client app, in one spelling, so that
 * two spellings of one WebID never pass for two people.
 */
export function parseWebId(text: string): WebId | null {
  if (text.length > LONGEST_WEB_ID || !text.endsWith('#me')) return null;
  const card = canonicalResource(text.slice(0, -'#me'.length));
  if (!card?.endsWith(`/${CARD}`)) return null;
  return { webId: `${card}#me`, root: card.slice(0, -CARD.length) };
}

export function webIdOfRoot(root: string): string {
  return `${root}${CARD}#me`;
}

/** A pod_id is the name of files and folders, here and on the server. */
const LONGEST_POD_ID = 200;
const KEPT_OF_LONG = 150;

/**
 * POD-FORMATS 8: `https://host/alice/` → `host-alice`; a port stays as it is. One that is too long
 * for a file name ends in a digest of the whole.
 */
export function podIdOfRoot(root: string): string {
  const { host, pathname } = new URL(root);
  const path = pathname.replace(/\/$/, '');
  const podId = `${host}${path}`.replaceAll('/', '-');
  if (podId.length <= LONGEST_POD_ID) return podId;
  const digest = createHash('sha256').update(podId).digest('hex').slice(0, 40);
  return `${podId.slice(0, KEPT_OF_LONG).replace(/%[0-9A-F]?$/i, '')}-${digest}`;
}

export interface PodDocuments {
  /** `<root><app>/`. */
  app: string;
  encKeys: string;
  indKeys: string;
  publicKey: string;
  /** The inbox folder that everybody may write to. */
  sharedFolder: string;
  sharedKeys: string;
  permissionsLog: string;
}

/** Where the client app keeps its documents in a Pod. */
export function podDocuments(root: string, appDir: string): PodDocuments {
  const app = `${root}${encodeSegment(appDir)}/`;
  return {
    app,
    encKeys: `${app}encryption/enc-keys.ttl`,
    indKeys: `${app}encryption/ind-keys.ttl`,
    publicKey: `${app}sharing/public-key.ttl`,
    sharedFolder: `${app}shared/`,
    sharedKeys: `${app}shared/shared-keys.ttl`,
    permissionsLog: `${app}logs/permissions-log.ttl`,
  };
}
