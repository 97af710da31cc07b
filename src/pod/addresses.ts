import { AnalyserError } from '../base/errors.js';

const CARD = 'profile/card';
const LONGEST_WEB_ID = 2048;

/** Characters that the app rejects in an address, in Turtle and in a request alike. */
const NOT_IN_AN_IRI = /[\s<>"{}|\\^`]/;

export interface WebId {
  webId: string;
  /** Of the Pod, with its trailing slash. */
  root: string;
}

/** Null for a WebID that the app would not make. Keeps the owner's spelling, of which share ids are made. */
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

/** The one form of a WebID that the service takes, so that nobody counts twice; null for a text that is none. */
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

/** Readers compute the same address; a port in a pod_id keeps its colon. */
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

export type PodDocuments = ReturnType<typeof podDocuments>;

/** Where the client app keeps its documents in a Pod. */
export function podDocuments(root: string, appDir: string) {
  const app = `${root}${encodeSegment(appDir)}/`;
  return {
    app,
    encKeys: `${app}encryption/enc-keys.ttl`,
    indKeys: `${app}encryption/ind-keys.ttl`,
    publicKey: `${app}sharing/public-key.ttl`,
    /** The folder of the inbox; everybody may write to it. */
    sharedFolder: `${app}shared/`,
    sharedKeys: `${app}shared/shared-keys.ttl`,
    permissionsLog: `${app}logs/permissions-log.ttl`,
  };
}

const LONGEST_ADDRESS = 4096;
/** A server looks for access rules at every level: a path of 1500 levels keeps a server busy for seconds. */
const MOST_LEVELS = 40;
const CONTROL = /\p{Cc}/u;

/** Strangers write addresses: two spellings would count a file twice, an odd one slip past a rule. */
export function canonicalResource(text: string): string | null {
  if (text.length > LONGEST_ADDRESS || CONTROL.test(text) || text !== text.trim()) return null;
  if (!/^https?:\/\/[^/]/i.test(text) || /[\\?#]/.test(text)) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.username !== '' || url.password !== '') return null;
  const segments = url.pathname.slice(1).split('/');
  if (segments.length > MOST_LEVELS) return null;
  const canonical: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const decoded = decodeSegment(segment);
    const endsFolder = decoded === '' && index === segments.length - 1;
    if (decoded === null || (decoded === '' && !endsFolder)) return null;
    canonical.push(encodeSegment(decoded));
  }
  return `${url.origin}/${canonical.join('/')}`;
}

/** Leaves unescaped what a URL allows in a path, as the app does. */
export function encodeSegment(decoded: string): string {
  return encodeURIComponent(decoded).replace(/%(?:3A|40|24|26|2B|2C|3B|3D)/g, decodeURIComponent);
}

function decodeSegment(segment: string): string | null {
  try {
    const decoded = decodeURIComponent(segment);
    const isOdd = /[/\\]/.test(decoded) || CONTROL.test(decoded) || /^\.{1,2}$/.test(decoded);
    return isOdd ? null : decoded;
  } catch {
    return null;
  }
}

export function isFolder(url: string): boolean {
  return url.endsWith('/');
}

export function parentFolder(url: string): string {
  return url.slice(0, url.lastIndexOf('/', url.length - 2) + 1);
}

/** Null without a path, or if it leads out of the Pod. The address begins with `root` as it was given. */
export function folderInPod(path: string | null, root: string): string | null {
  if (path === null) return null;
  const folder = canonicalResource(`${root}${path.replace(/^\/+|\/+$/g, '')}/`);
  const pod = canonicalResource(root);
  if (folder === null || pod === null || !folder.startsWith(pod)) return null;
  return root + folder.slice(pod.length);
}

export function aclAddress(resource: string): string {
  return `${resource}.acl`;
}
