import { putDocument } from '../../solid/documents.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { readTurtle } from '../../solid/turtle.js';
import {
  decodeText,
  decryptContent,
  encryptContent,
  type SealedContent,
} from '../crypto/content-cipher.js';
import { ensureResourceKeys } from '../resource-keys.js';
import type { UnlockedPod } from '../unlock-pod.js';
import { singleValues, text, vocabulary as v, writeTurtle } from './vocabulary.js';

/** `….enc.ttl` */
export interface EncryptedResource {
  content: SealedContent;
  /** Pod-relative path of the folder whose key it uses; null for a key of its own. */
  inheritKeyFrom: string | null;
}

export async function parseEncryptedResource(
  body: Buffer,
  url: string,
  signal?: AbortSignal,
): Promise<EncryptedResource> {
  const { one, oneOrNull } = singleValues(await readTurtle(body, url, signal));
  return {
    content: { iv: one(v.iv), data: one(v.encData) },
    inheritKeyFrom: oneOrNull(v.inheritKeyFrom),
  };
}

export function buildEncryptedResource(
  url: string,
  root: string,
  resource: EncryptedResource,
): string {
  const { content, inheritKeyFrom } = resource;
  return writeTurtle([
    text(url, v.path, url.slice(root.length)),
    text(url, v.iv, content.iv),
    text(url, v.encData, content.data),
    ...(inheritKeyFrom === null ? [] : [text(url, v.inheritKeyFrom, inheritKeyFrom)]),
  ]);
}

/** Decrypts a document with the first of the keys that opens it to a text; null if none does. */
export async function openResource(
  body: Buffer,
  url: string,
  keys: readonly Buffer[],
  signal?: AbortSignal,
): Promise<{ text: string; key: Buffer } | null> {
  const { content } = await parseEncryptedResource(body, url, signal);
  for (const key of keys) {
    const opened = decryptContent(content, key);
    const text = opened === null ? null : decodeText(opened);
    if (text !== null) return { text, key };
  }
  return null;
}

export interface NewContent {
  url: string;
  content: string | Uint8Array;
}

/**
 * Writes resources of the Pod, each under its own key. A key that exists never changes; missing keys are made in one
 * change for all. Returns the key of each resource.
 */
export async function writeEncryptedResources(
  client: SolidClient,
  pod: UnlockedPod,
  contents: readonly NewContent[],
): Promise<Map<string, Buffer>> {
  const urls = contents.map(({ url }) => url);
  const keys = await ensureResourceKeys(client, pod, urls);
  await Promise.all(
    contents.map(async (one) => {
      const key = keys.get(one.url);
      if (key) await putEncryptedResource(client, pod, one, key);
    }),
  );
  return keys;
}

export async function putEncryptedResource(
  client: SolidClient,
  pod: Pick<UnlockedPod, 'root'>,
  { url, content }: NewContent,
  key: Buffer,
): Promise<void> {
  const resource = { content: encryptContent(content, key), inheritKeyFrom: null };
  await putDocument(client, url, buildEncryptedResource(url, pod.root, resource));
}
