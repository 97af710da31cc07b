import { AnalyserError } from '../../base/errors.js';
import { present } from '../../base/lists.js';
import { isRecord, parseJson } from '../../base/parse-json.js';
import { requireSuccess } from '../../solid/documents.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { readResourceKey } from '../crypto/content-cipher.js';
import { openValue } from '../crypto/rsa.js';
import { openResource } from '../formats/encrypted-resource.js';
import { readShareStatements, shareId, shareSubject } from '../formats/shared-keys.js';
import { vocabulary } from '../formats/vocabulary.js';
import type { UnlockedPod } from '../unlock-pod.js';

export class SharedKeyError extends AnalyserError {
  override readonly name = 'SharedKeyError';

  constructor(
    readonly problem: 'missing' | 'wrong',
    message: string,
  ) {
    super('keys', message);
  }
}

/** `key` is null for a file of plain JSON. Anybody can write to our inbox, so each key there is tried. */
export async function readSharedWithMe(
  client: SolidClient,
  pod: UnlockedPod,
  url: string,
): Promise<{ text: string; key: Buffer | null }> {
  const { body } = requireSuccess(await client.request(url), 'read');
  if (isRecord(parseJson(body))) return { text: body.toString(), key: null };
  const opened = await openResource(body, url, await findKeys(client, pod, url), client.signal);
  if (opened !== null) return opened;
  throw new SharedKeyError('wrong', `${url} could not be decrypted.`);
}

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
  const keys = present(sealed.map((value) => readResourceKey(openValue(value, pod.privateKey))));
  if (keys.length > 0) return keys;
  const message = `The key that ${inbox} holds for ${url} cannot be used; have it shared again.`;
  throw new SharedKeyError('wrong', message);
}
