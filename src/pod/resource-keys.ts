import { setTimeout } from 'node:timers/promises';
import { AnalyserError, ServerError } from '../base/errors.js';
import { patchDocument } from '../solid/documents/patch-document.js';
import { readTurtle } from '../solid/documents/read-turtle.js';
import type { Triple } from '../solid/documents/sparql-update.js';
import type { TurtleDocument } from '../solid/documents/turtle-document.js';
import { isAbsent, requireSuccess } from '../solid/require-success.js';
import type { SolidClient } from '../solid/solid-client.js';
import { createResourceKey } from './crypto/resource-key.js';
import {
  buildIndKeyEntry,
  hasSeveralKeys,
  indexSubjects,
  openIndKey,
} from './documents/ind-keys.js';
import { canonicalResource } from './resource-address.js';
import { serialiseByUrl } from './serialise-by-url.js';
import type { UnlockedPod } from './unlock-pod.js';
import { vocabulary } from './vocabulary.js';

const MOST_ATTEMPTS = 8;

/** The keys of the Pod's own resources; resources without a key are left out. */
export async function findResourceKeys(
  client: SolidClient,
  pod: UnlockedPod,
  resources: readonly string[],
): Promise<Map<string, Buffer>> {
  const { document } = await readIndKeys(client, pod);
  return openKeys(document, pod, resources);
}

/**
 * Makes missing keys, and returns the key of each resource as the document holds it after the change, since another
 * process may have added a key first. A resource keeps its key for life: a key in use is never replaced.
 */
export function ensureResourceKeys(
  client: SolidClient,
  pod: UnlockedPod,
  resources: readonly string[],
  createKey: () => Buffer = createResourceKey,
): Promise<Map<string, Buffer>> {
  return serialiseByUrl(pod.documents.indKeys, () =>
    addMissingKeys(client, pod, [...new Set(resources)], createKey),
  );
}

async function addMissingKeys(
  client: SolidClient,
  pod: UnlockedPod,
  resources: readonly string[],
  createKey: () => Buffer,
): Promise<Map<string, Buffer>> {
  const url = pod.documents.indKeys;
  const added = new Map<string, Triple[]>();
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const { document, etag } = await readIndKeys(client, pod);
    const doubled = findSeveralKeys(document, [...added.keys()]);
    if (doubled.length > 0) {
      // The server's ETag is the same for two changes within one second, so somebody else may have
      // added a key at the same time. Ours is removed, as nobody has used it yet.
      const ours = doubled.flatMap((resource) => added.get(resource) ?? []);
      // The statement of the path belongs to both entries, so it is not removed.
      const values = ours.filter(({ predicate }) => predicate !== vocabulary.path);
      await patchDocument(client, url, { delete: values });
      for (const resource of doubled) added.delete(resource);
      await setTimeout(Math.random() * 200 * attempt);
      continue;
    }
    const keys = openKeys(document, pod, resources);
    const missing = resources.filter((resource) => !keys.has(resource));
    if (missing.length === 0) return keys;
    for (const resource of missing) {
      added.set(resource, buildIndKeyEntry(resource, pod.root, createKey(), pod.masterKey));
    }
    const insert = missing.flatMap((resource) => added.get(resource) ?? []);
    const condition = document === null ? { ifAbsent: true } : { ...(etag && { ifMatch: etag }) };
    try {
      await patchDocument(client, url, { insert }, condition);
    } catch (error) {
      if (!(error instanceof ServerError) || error.details.status !== 412) throw error;
    }
  }
  throw new AnalyserError(
    'server',
    `${url} is being changed by others all the time, so no key could be added. Try again.`,
  );
}

/** A version of ind-keys.ttl. */
export interface IndKeys {
  /** Null when there is none. */
  document: TurtleDocument | null;
  body: Buffer;
  etag: string | null;
}

export async function readIndKeys(
  client: SolidClient,
  pod: Pick<UnlockedPod, 'documents'>,
): Promise<IndKeys> {
  // A proxy that compresses makes the ETag weak, and If-Match accepts only strong ETags.
  const headers = { accept: 'text/turtle', 'accept-encoding': 'identity' };
  const answer = await client.request(pod.documents.indKeys, { headers });
  if (isAbsent(answer)) return { document: null, body: Buffer.alloc(0), etag: null };
  const { body } = requireSuccess(answer, 'read');
  const document = readTurtle(body, answer.url);
  const etag = answer.headers['etag'] ?? null;
  // Without a strong ETag the write has no condition. The writer reads the keys again, and sees changes of others.
  return { document, body, etag: etag?.startsWith('W/') ? null : etag };
}

function findSeveralKeys(document: TurtleDocument | null, resources: readonly string[]): string[] {
  if (document === null || resources.length === 0) return [];
  const subjects = indexSubjects(document);
  return resources.filter((resource) => hasSeveralKeys(document, subjectsOf(subjects, resource)));
}

function openKeys(
  document: TurtleDocument | null,
  pod: UnlockedPod,
  resources: readonly string[],
): Map<string, Buffer> {
  const keys = new Map<string, Buffer>();
  if (document === null) return keys;
  const subjects = indexSubjects(document);
  for (const resource of resources) {
    const key = openIndKey(document, subjectsOf(subjects, resource), pod.masterKey);
    if (key !== null) keys.set(resource, key);
  }
  return keys;
}

/** The index is keyed by the canonical address. */
export function subjectsOf(index: ReadonlyMap<string, string[]>, resource: string): string[] {
  return index.get(canonicalResource(resource) ?? resource) ?? [];
}
