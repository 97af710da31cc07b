import { AnalyserError } from '../base/errors.js';
import { canonicalResource, encodeSegment } from './resource-address.js';

const CARD = 'profile/card';
const LONGEST_WEB_ID = 2048;

/** Characters that the app rejects in an address, in Turtle and in a request alike. */
const NOT_IN_AN_IRI = /[\s<>"{}|\\^`]/;

export interface WebId {
  webId: string;
  /** The Pod root, with its trailing slash. */
  root: string;
}

/**
 * Accepts a WebID that names a person's Pod by the rule of the client app. Keeps the owner's spelling, because
 * share ids, addresses of results and rules of access are made of it.
 */
export function parseWebId(text: string): WebId | null {
  if (text.length > LONGEST_WEB_ID || !text.endsWith(`/${CARD}#me`)) return null;
  const root = text.slice(0, -`${CARD}#me`.length);
  if (NOT_IN_AN_IRI.test(root) || hasDotSegment(root)) return null;
  return canonicalResource(root) === null ? null : { webId: text, root };
}

/** Like `parseWebId`, for a WebID that somebody typed or configured; throws for any other text. */
export function requireWebId(text: string): WebId {
  const webId = parseWebId(text);
  if (webId !== null) return webId;
  throw new AnalyserError(
    'configuration',
    `"${text.slice(0, 200)}" is not a WebID: it must be the URL of a Pod and then profile/card#me, without blanks, quotes, a user name, a query or dots for a folder.`,
  );
}

/** The canonical root of a Pod, the same for all spellings of its WebID. */
export function canonicalRoot(webId: string): string | null {
  return canonicalResource(parseWebId(webId)?.root ?? '');
}

/** The one form of a WebID that the service takes; null for a text that is not a WebID. */
export function canonicalWebId(webId: string): string | null {
  const root = canonicalRoot(webId);
  return root === null ? null : webIdOfRoot(root);
}

/** The canonical root of a WebID's Pod, or the canonical form of an address ending in a slash. */
export function canonicalScope(text: string): string | null {
  return text.endsWith('/') ? canonicalResource(text) : canonicalRoot(text);
}

function hasDotSegment(url: string): boolean {
  return /\/(?:\.|%2e){1,2}\//i.test(url);
}

export function webIdOfRoot(root: string): string {
  return `${root}${CARD}#me`;
}

/**
 * Where the Analyser puts the result of a Pod, or of the cohort. Readers compute the same
 * address; a port in a pod_id keeps its colon.
 */
export function publishedAddress(
  { app }: Pick<PodDocuments, 'app'>,
  resultsDir: string,
  podId: string,
  name: string,
): string {
  const folders = ['data', ...resultsDir.split('/')].map(encodeSegment);
  // The pod_id needs no encoding: it comes from an address, in which it is already encoded.
  return `${app}${folders.join('/')}/${podId}/${name}`;
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
