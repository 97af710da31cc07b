import { requireSuccess } from '../require-success.js';
import type { SolidClient } from '../solid-client.js';
import { buildSparqlUpdate, type Changes } from './sparql-update.js';

export interface WriteOptions {
  signal?: AbortSignal | undefined;
  /** Only over this version; otherwise the write is refused with 412. */
  ifMatch?: string;
  /** Only when there is none yet; otherwise the write is refused with 412. */
  ifAbsent?: boolean;
}

export interface PutOptions extends WriteOptions {
  contentType?: string;
}

export async function putDocument(
  client: SolidClient,
  url: string,
  body: string | Uint8Array,
  options: PutOptions = {},
): Promise<void> {
  const headers = {
    'content-type': options.contentType ?? 'text/turtle',
    ...conditionHeaders(options),
  };
  const answer = await client.request(url, {
    method: 'PUT',
    headers,
    body,
    signal: options.signal,
    idempotent: isRepeatable(options),
  });
  requireSuccess(answer, 'written');
}

/** Creates the document, with its folders, when it does not exist. */
export async function patchDocument(
  client: SolidClient,
  url: string,
  changes: Changes,
  options: WriteOptions = {},
): Promise<void> {
  const body = buildSparqlUpdate(changes);
  if (body === '') return;
  const headers = {
    'content-type': 'application/sparql-update',
    ...conditionHeaders(options),
  };
  const answer = await client.request(url, {
    method: 'PATCH',
    headers,
    body,
    signal: options.signal,
    // Fixed triples, removed and then added: a second time changes nothing.
    idempotent: isRepeatable(options),
  });
  requireSuccess(answer, 'changed');
}

function conditionHeaders({ ifMatch, ifAbsent }: WriteOptions): Record<string, string> {
  return {
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    ...(ifAbsent === true && { 'if-none-match': '*' }),
  };
}

/** A conditional write that arrived although its answer did not would refuse its own repetition. */
function isRepeatable({ ifMatch, ifAbsent }: WriteOptions): boolean {
  return ifMatch === undefined && ifAbsent !== true;
}
