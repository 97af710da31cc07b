import { ServerError } from '../../base/errors.js';
import { requireSuccess } from '../require-success.js';
import type { SolidAnswer, SolidClient, SolidRequest } from '../solid-client.js';
import { buildSparqlUpdate, type Changes } from './sparql-update.js';

export interface WriteCondition {
  /** Writes only over this version; otherwise the server answers 412. */
  ifMatch?: string;
  /** Writes only when there is no document yet; otherwise the server answers 412. */
  ifAbsent?: boolean;
}

export async function putDocument(
  client: SolidClient,
  url: string,
  body: string | Uint8Array,
  { contentType = 'text/turtle', ...condition }: WriteCondition & { contentType?: string } = {},
): Promise<void> {
  const answer = await write(client, url, { method: 'PUT', body }, contentType, condition);
  requireSuccess(answer, 'written');
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
  condition: WriteCondition = {},
): Promise<void> {
  const body = buildSparqlUpdate(changes);
  if (body === '') return;
  const request = { method: 'PATCH', body } as const;
  const answer = await write(client, url, request, 'application/sparql-update', condition);
  const { status } = answer;
  if (NOT_TAKEN.includes(status)) {
    const message = `${url} could not be changed: its server does not take SPARQL updates (HTTP ${status}), with which the app changes documents too. Use a server that takes them.`;
    throw new ServerError('refused', message, { url, status });
  }
  requireSuccess(answer, 'changed');
}

function write(
  client: SolidClient,
  url: string,
  request: Pick<SolidRequest, 'method' | 'body'>,
  contentType: string,
  { ifMatch, ifAbsent = false }: WriteCondition,
): Promise<SolidAnswer> {
  const headers = {
    'content-type': contentType,
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    ...(ifAbsent && { 'if-none-match': '*' }),
  };
  // Removing and adding fixed statements twice changes nothing. But a conditional write whose answer got lost would
  // make its own repetition fail.
  const idempotent = ifMatch === undefined && !ifAbsent;
  return client.request(url, { ...request, headers, idempotent });
}
