import { ServerError } from '../base/errors.js';
import { serverSpelling } from './server-spelling.js';
import type { SolidAnswer, SolidClient, SolidRequest } from './solid-client.js';
import { buildSparqlUpdate, type Changes } from './sparql-update.js';
import { readTurtle, type TurtleDocument } from './turtle.js';

const REASONS: Record<number, string> = {
  401: 'the server does not accept the login',
  403: 'the WebID that is logged in may not do this; the client credentials may belong to another one',
  404: 'there is no such document',
  413: 'it is larger than the server takes, or the quota of this Pod is full',
  507: 'the storage of the server is full',
  412: 'it was changed by someone else in the meantime',
};

export function isAbsent({ status }: Pick<SolidAnswer, 'status'>): boolean {
  return status === 404 || status === 410;
}

export function isSuccess({ status }: Pick<SolidAnswer, 'status'>): boolean {
  return status >= 200 && status < 300;
}

/** Throws unless the answer is a success; `what` completes "could not be". */
export function requireSuccess(answer: SolidAnswer, what: string): SolidAnswer {
  const { status, url } = answer;
  if (isSuccess(answer)) return answer;
  const isRedirect = status >= 300 && status < 400;
  const known = isRedirect ? 'it leads to another address, which is not followed' : REASONS[status];
  const reason = known === undefined ? '' : ` (${known})`;
  const message = `${url} could not be ${what}: HTTP ${status}${reason}.`;
  throw new ServerError('refused', message, { url, status });
}

export interface ReadOptions
  extends Pick<SolidRequest, 'signal' | 'maxBytes' | 'tries' | 'patienceMs'> {
  onHeaders?: (headers: Readonly<Record<string, string>>) => void;
}

/** Undefined when there is no such document; rejects for any other refusal. What is not stored as Turtle is malformed. */
export async function getTurtle(
  client: SolidClient,
  url: string,
  { onHeaders, ...limits }: ReadOptions = {},
): Promise<TurtleDocument | undefined> {
  const answer = await client.request(url, limits);
  if (isAbsent(answer)) return undefined;
  const { body } = requireSuccess(answer, 'read');
  onHeaders?.(answer.headers);
  return await readTurtle(body, answer.url, limits.signal ?? client.signal);
}

interface WriteOptions {
  contentType?: string;
  /** Writes only over this version; otherwise the server answers 412. */
  ifMatch?: string;
  /** Writes only when there is no document yet; otherwise the server answers 412. */
  ifAbsent?: boolean;
}

export async function putDocument(
  client: SolidClient,
  url: string,
  body: string | Uint8Array,
  { contentType = 'text/turtle', ifMatch, ifAbsent = false }: WriteOptions = {},
): Promise<void> {
  const headers = {
    'content-type': contentType,
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    ...(ifAbsent && { 'if-none-match': '*' }),
  };
  requireSuccess(await client.request(url, { method: 'PUT', headers, body }), 'written');
}

export async function deleteDocument(client: SolidClient, url: string): Promise<boolean> {
  const answer = await client.request(url, { method: 'DELETE' });
  if (isAbsent(answer)) return false;
  requireSuccess(answer, 'removed');
  return true;
}

const NOT_TAKEN: readonly number[] = [405, 415, 501];

/** A missing document is made, with its folders; to remove a missing statement is no failure. */
export async function patchDocument(
  client: SolidClient,
  url: string,
  changes: Changes,
): Promise<void> {
  const body = buildSparqlUpdate(changes);
  if (body === '') return;
  const headers = { 'content-type': 'application/sparql-update' };
  const answer = await client.request(url, { method: 'PATCH', headers, body });
  const { status } = answer;
  if (NOT_TAKEN.includes(status)) {
    const message = `${url} could not be changed: its server does not take SPARQL updates (HTTP ${status}), with which the app changes documents too. Use a server that takes them.`;
    throw new ServerError('refused', message, { url, status });
  }
  requireSuccess(answer, 'changed');
}

const CONTAINS = 'http://www.w3.org/ns/ldp#contains';

/** The direct members, sorted, each beginning with the folder as `url` spells it; undefined without such a folder. */
export async function listContainer(
  client: SolidClient,
  url: string,
  options: ReadOptions = {},
): Promise<string[] | undefined> {
  const document = await getTurtle(client, url, options);
  if (document === undefined) return undefined;
  const listed = spellingOf(document, url);
  const members = document
    .links(listed, CONTAINS)
    .filter((member) => isDirectMember(member, listed))
    .map((member) => url + member.slice(listed.length));
  return [...new Set(members)].sort();
}

/** A server may spell reserved characters of the address differently from the request. */
function spellingOf(document: TurtleDocument, url: string): string {
  if (document.links(url, CONTAINS).length > 0) return url;
  const wanted = serverSpelling(url);
  for (const subject of document.subjects()) {
    if (URL.canParse(subject) && serverSpelling(subject) === wanted) return subject;
  }
  return url;
}

export function isDirectMember(member: string, folder: string): boolean {
  if (!member.startsWith(folder) || /[?#]/.test(member)) return false;
  const name = member.slice(folder.length).replace(/\/$/, '');
  return (
    name !== '' && !name.includes('/') && URL.canParse(member) && new URL(member).href === member
  );
}

const OIDC_ISSUER = 'http://www.w3.org/ns/solid/terms#oidcIssuer';

/** The servers at which a WebID logs in, as its profile names them; an empty list without a profile. */
export async function readIssuers(
  client: SolidClient,
  webId: string,
  options: ReadOptions,
): Promise<readonly string[]> {
  const profile = await getTurtle(client, webId, options);
  return profile?.links(webId, OIDC_ISSUER) ?? [];
}
