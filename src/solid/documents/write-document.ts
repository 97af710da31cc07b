import { setTimeout as pause } from 'node:timers/promises';
import { isAbsent, requireSuccess } from '../require-success.js';
import type { SolidAnswer, SolidClient } from '../solid-client.js';

export interface WriteCondition {
  /** Writes only over this version; otherwise the server answers 412. */
  ifMatch?: string;
  /** Writes only when there is no document yet; otherwise the server answers 412. */
  ifAbsent?: boolean;
}

interface Writing {
  method: 'PUT' | 'PATCH';
  body: string | Uint8Array;
  contentType: string;
  /** Whether repeating the request changes nothing more; default: true. */
  isRepeatable?: boolean;
}

export async function putDocument(
  client: SolidClient,
  url: string,
  body: string | Uint8Array,
  { contentType = 'text/turtle', ...condition }: WriteCondition & { contentType?: string } = {},
): Promise<void> {
  const answer = await writeDocument(client, url, { method: 'PUT', body, contentType }, condition);
  requireSuccess(answer, 'written');
}

const MOST_ATTEMPTS = 4;

/** When the server demands a condition (428), writes again on the condition that the present version still stands. */
export async function writeDocument(
  client: SolidClient,
  url: string,
  writing: Writing,
  condition: WriteCondition,
): Promise<SolidAnswer> {
  const first = await write(client, url, writing, condition);
  const isConditional = condition.ifMatch !== undefined || condition.ifAbsent === true;
  if (first.status !== 428 || isConditional) return first;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await write(client, url, writing, await currentVersion(client, url));
    if (answer.status !== 412 || attempt === MOST_ATTEMPTS) return answer;
    await pause(Math.random() * 200 * attempt);
  }
}

async function currentVersion(client: SolidClient, url: string): Promise<WriteCondition> {
  const headers = { 'accept-encoding': 'identity' };
  const answer = await client.request(url, { method: 'HEAD', headers });
  // If we may only add to a document, such as a log, the server does not tell its version.
  return isAbsent(answer) ? { ifAbsent: true } : { ifMatch: answer.headers['etag'] ?? '*' };
}

function write(
  client: SolidClient,
  url: string,
  { contentType, isRepeatable = true, ...request }: Writing,
  { ifMatch, ifAbsent = false }: WriteCondition,
): Promise<SolidAnswer> {
  const headers = {
    'content-type': contentType,
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    ...(ifAbsent && { 'if-none-match': '*' }),
  };
  // Removing and adding fixed triples twice changes nothing. But a conditional write whose answer
  // got lost would make its own repetition fail.
  const idempotent = isRepeatable && ifMatch === undefined && !ifAbsent;
  return client.request(url, { ...request, headers, idempotent });
}
