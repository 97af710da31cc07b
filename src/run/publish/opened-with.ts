import { AnalyserError } from '../../base/errors.js';
import { isRecord, parseJson } from '../../base/parse-json.js';
import { decryptContent, type SealedContent } from '../../pod/crypto/content-cipher.js';
import { parseEncryptedResource } from '../../pod/documents/encrypted-resource.js';
import { isAbsent, requireSuccess } from '../../solid/require-success.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { stoppedBy } from '../../solid/stopped-by.js';

/** Which of two keys opens a published document. */
export async function openedWith(
  client: SolidClient,
  url: string,
  [first, second]: [Buffer, Buffer | null],
  signal?: AbortSignal,
): Promise<'first' | 'second' | 'none' | 'absent'> {
  const answer = await stoppedBy(client, signal).request(url, { headers: { accept: '*/*' } });
  if (isAbsent(answer)) return 'absent';
  const content = sealedContent(requireSuccess(answer, 'read').body, url);
  if (content === null) return 'none';
  if (opens(content, first)) return 'first';
  return second !== null && opens(content, second) ? 'second' : 'none';
}

/** A wrong key turns the content into something other than JSON. */
function opens(content: SealedContent, key: Buffer): boolean {
  const opened = decryptContent(content, key);
  return opened !== null && isRecord(parseJson(opened));
}

/** Null for a document that is not encrypted. */
function sealedContent(body: Buffer, url: string): SealedContent | null {
  try {
    return parseEncryptedResource(body, url).content;
  } catch (error) {
    if (error instanceof AnalyserError && error.kind === 'malformed') return null;
    throw error;
  }
}
