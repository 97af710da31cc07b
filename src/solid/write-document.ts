import { ServerError } from '../base/errors.js';
import { isAbsent, requireSuccess } from './require-success.js';
import type { SolidClient } from './solid-client.js';
import { buildSparqlUpdate, type Changes } from './sparql-update.js';

interface WriteOptions {
  /** Default: Turtle. */
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

/** Returns whether there was a document. */
export async function deleteDocument(client: SolidClient, url: string): Promise<boolean> {
  const answer = await client.request(url, { method: 'DELETE' });
  if (isAbsent(answer)) return false;
  requireSuccess(answer, 'removed');
  return true;
}

/** Statuses of a server that does not take this kind of change. */
const NOT_TAKEN: readonly number[] = [405, 415, 501];

/**
 * Changes the document; creates it, with its folders, when it does not exist. Removing a missing statement is not a
 * failure.
 */
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
