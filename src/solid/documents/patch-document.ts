import { setTimeout as pause } from 'node:timers/promises';
import { ServerError } from '../../base/errors.js';
import { KnownPatching, type PatchType, type Way } from '../requests/known-patching.js';
import { isAbsent, requireSuccess } from '../require-success.js';
import type { SolidAnswer, SolidClient } from '../solid-client.js';
import { buildN3Patch } from './n3-patch.js';
import { rewriteTurtle } from './rewrite-turtle.js';
import { buildSparqlUpdate, type Changes } from './sparql-update.js';
import { type WriteCondition, writeDocument } from './write-document.js';

/** The largest document that is written anew: the same limit as for a document that is read from a recipient. */
const LARGEST = 8 * 1024 * 1024;
const MOST_ATTEMPTS = 4;

/** The statuses of a server that does not take this kind of PATCH, or takes no PATCH at all. */
const NOT_SO: readonly number[] = [405, 415, 501];
const CONFLICT = 409;

interface Change {
  client: SolidClient;
  url: string;
  changes: Changes;
  condition: WriteCondition;
}

/**
 * Changes the document; creates it, with its folders, when it does not exist. Removing a missing statement is
 * not a failure. Remembers which way of changing documents the server takes.
 */
export async function patchDocument(
  client: SolidClient,
  url: string,
  changes: Changes,
  condition: WriteCondition = {},
): Promise<void> {
  if ((changes.delete?.length ?? 0) + (changes.insert?.length ?? 0) === 0) return;
  const change = { client, url, changes, condition };
  const patching = client.patching ?? new KnownPatching();
  const refusals: number[] = [];
  // False after a conflict or after a change that a way cannot express: both teach nothing about the server.
  let isOfServer = true;
  for (const way of patching.waysFor(url)) {
    const answer = way === 'rewrite' ? await rewrite(change) : await patch(change, way);
    isOfServer &&= answer !== null && answer.status !== CONFLICT;
    if (answer === null) continue;
    if (!isNotSo(answer, way)) {
      requireSuccess(answer, 'changed');
      if (isOfServer && refusals.length > 0) patching.learn(url, way);
      return;
    }
    refusals.push(answer.status);
  }
  throw unchangeable(url, refusals.at(-1) ?? 0);
}

/** Whether another way can still work: a missing statement is a conflict for N3 Patch only. */
function isNotSo({ status }: SolidAnswer, way: Way): boolean {
  return NOT_SO.includes(status) || (way === 'text/n3' && status === CONFLICT);
}

/** Returns null when this kind of PATCH cannot express the change. */
async function patch(
  { client, url, changes, condition }: Change,
  contentType: PatchType,
): Promise<SolidAnswer | null> {
  const isN3 = contentType === 'text/n3';
  const body = isN3 ? buildN3Patch(changes) : buildSparqlUpdate(changes);
  if (body === null) return null;
  // N3 Patch cannot remove a statement a second time.
  const isRepeatable = !isN3 || (changes.delete ?? []).length === 0;
  const request = { method: 'PATCH', body, contentType, isRepeatable } as const;
  return await writeDocument(client, url, request, condition);
}

/** Returns null when the server forbids reading the document or gives no strong ETag, which shows others' changes. */
async function rewrite({ client, url, changes, condition }: Change): Promise<SolidAnswer | null> {
  for (let attempt = 1; ; attempt += 1) {
    // Without compression, because a proxy that compresses makes the ETag weak.
    const headers = { accept: 'text/turtle', 'accept-encoding': 'identity' };
    const found = await client.request(url, { headers, maxBytes: LARGEST });
    if (found.status === 401 || found.status === 403) return null;
    const isNew = isAbsent(found);
    const text = isNew ? '' : requireSuccess(found, 'read').body.toString();
    const etag = found.headers['etag'];
    if (!isNew && (etag === undefined || etag.startsWith('W/'))) return null;
    const own = isNew || etag === undefined ? { ifAbsent: true } : { ifMatch: etag };
    const isOurs = condition.ifMatch === undefined && condition.ifAbsent !== true;
    const body = rewriteTurtle(text, found.url, changes);
    const request = { method: 'PUT', body, contentType: 'text/turtle' } as const;
    const answer = await writeDocument(client, url, request, isOurs ? own : condition);
    if (answer.status !== 412 || !isOurs || attempt === MOST_ATTEMPTS) return answer;
    await pause(Math.random() * 200 * attempt);
  }
}

function unchangeable(url: string, status: number): ServerError {
  const message =
    `${url} could not be changed: its server takes neither kind of PATCH (text/n3, ` +
    'application/sparql-update), and a document that one may only add to, or that has no ETag, cannot be ' +
    'written anew. Use a server that follows the Solid Protocol.';
  return new ServerError('refused', message, { url, status });
}
