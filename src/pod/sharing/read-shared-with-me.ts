import { hash } from 'node:crypto';
import { AnalyserError } from '../../base/errors.js';
import { requireSuccess } from '../../solid/require-success.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { decodeText, decryptContent } from '../crypto/content-cipher.js';
import { readResourceKey } from '../crypto/resource-key.js';
import { openValue } from '../crypto/rsa.js';
import { parseEncryptedResource } from '../documents/encrypted-resource.js';
import { shareId, shareSubject } from '../documents/share-statements.js';
import { readShareStatements } from '../inbox/shared-keys-document.js';
import type { UnlockedPod } from '../unlock-pod.js';
import { vocabulary } from '../vocabulary.js';

export class SharedKeyError extends AnalyserError {
  override readonly name = 'SharedKeyError';

  constructor(
    readonly problem: 'missing' | 'wrong',
    message: string,
  ) {
    super('keys', message);
  }
}

export interface SharedResource {
  text: string;
  /** SHA-256 of the decrypted bytes, in hex. */
  sha256: string;
  /** Never changes for a resource, so it need not be looked up again. */
  key: Buffer;
}

/**
 * Reads a resource that somebody else encrypted and handed us the key of. Anybody can write to our
 * inbox, so wrong keys beside the right one do no harm.
 */
export async function readSharedWithMe(
  client: SolidClient,
  pod: UnlockedPod,
  url: string,
  { heldKey }: { heldKey?: Buffer | undefined } = {},
): Promise<SharedResource> {
  const answer = await client.request(url, { headers: { accept: '*/*' } });
  const { content } = parseEncryptedResource(requireSuccess(answer, 'read').body, url);
  for (const key of heldKey ? [heldKey] : await findKeys(client, pod, url)) {
    const opened = decryptContent(content, key);
    const text = opened === null ? null : decodeText(opened);
    if (opened === null || text === null) continue;
    return { text, sha256: hash('sha256', opened), key };
  }
  throw new SharedKeyError('wrong', `${url} could not be decrypted.`);
}

/** At least one. */
async function findKeys(client: SolidClient, pod: UnlockedPod, url: string): Promise<Buffer[]> {
  const subject = shareSubject(shareId(url, pod.webId));
  const inbox = pod.documents.sharedKeys;
  const statements = (await readShareStatements(client, inbox, [subject])) ?? [];
  const sealed = statements.flatMap(({ predicate, object }) =>
    predicate === vocabulary.sharedKey && 'literal' in object ? [object.literal] : [],
  );
  if (sealed.length === 0) {
    const message = `No key has been shared for this resource: ${inbox} has none for ${url}.`;
    throw new SharedKeyError('missing', message);
  }
  const keys: Buffer[] = [];
  for (const value of sealed) {
    const key = readResourceKey(openValue(value, pod.privateKey));
    if (key !== null) keys.push(key);
  }
  if (keys.length > 0) return keys;
  const message = `The key that ${inbox} holds for ${url} cannot be used; have it shared again.`;
  throw new SharedKeyError('wrong', message);
}
