import { requireSuccess } from '../require-success.js';
import type { SolidClient } from '../solid-client.js';
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
  const answer = await write(client, url, { method: 'PUT', body, contentType }, condition);
  requireSuccess(answer, 'written');
}

/** Changes the document; creates it, with its folders, when it does not exist. */
export async function patchDocument(
  client: SolidClient,
  url: string,
  changes: Changes,
  condition: WriteCondition = {},
): Promise<void> {
  const body = buildSparqlUpdate(changes);
  if (body === '') return;
  const contentType = 'application/sparql-update';
  const answer = await write(client, url, { method: 'PATCH', body, contentType }, condition);
  requireSuccess(answer, 'changed');
}

function write(
  client: SolidClient,
  url: string,
  change: { method: 'PUT' | 'PATCH'; body: string | Uint8Array; contentType: string },
  { ifMatch, ifAbsent = false }: WriteCondition,
) {
  const { contentType, ...request } = change;
  const headers = {
    'content-type': contentType,
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    ...(ifAbsent && { 'if-none-match': '*' }),
  };
  // Removing and adding fixed triples twice changes nothing. But a conditional write whose answer
  // got lost would make its own repetition fail.
  const idempotent = ifMatch === undefined && !ifAbsent;
  return client.request(url, { ...request, headers, idempotent });
}
