import { createHash } from 'node:crypto';
import { isUnanswered, ServerError } from '../base/errors.js';
import { isAbsent, putDocument, requireSuccess } from '../solid/documents.js';
import type { SolidClient } from '../solid/solid-client.js';

interface DocumentAddress {
  url: string;
  maxBytes: number;
}

export interface DocumentVersion {
  /** Of the body; null when there is no document. */
  digest: string | null;
  /** Null unless the server gives an ETag that a condition can use. */
  etag: string | null;
}

/** Never asks with If-None-Match: the HTTP client takes the Community Solid Server's 304 for a broken answer. */
export async function readVersion(
  client: SolidClient,
  { url, maxBytes }: DocumentAddress,
): Promise<{ version: DocumentVersion; body: Buffer | null }> {
  const answer = await client.request(url, { maxBytes });
  if (isAbsent(answer)) return { version: { digest: null, etag: null }, body: null };
  const { body, headers } = requireSuccess(answer, 'read');
  const etag = headers['etag'] ?? null;
  return {
    version: { digest: bodyDigest(body), etag: etag?.startsWith('W/') ? null : etag },
    body,
  };
}

type Outcome = 'written' | 'changed' | { refused: string };

/**
 * Replaces the version that was read. We write only under the analysis lock. So `changed` means one of two things:
 * somebody without the lock has written, or a proxy answered in place of the server when the version was read. After
 * two writes without an answer, the result is `refused`, although the second may have been stored after all. Rejects
 * when the server gives no answer to reading either.
 *
 * A version that `isKnown` by its content still stands where the content is the same, whatever its ETag says: some
 * servers change it at each read, or give none. Of any other content, such as a page of a proxy, only the ETag tells.
 */
export async function replaceVersion(
  client: SolidClient,
  document: DocumentAddress,
  before: DocumentVersion & { isKnown: boolean },
  body: string,
): Promise<Outcome> {
  const ours = bodyDigest(body);
  const storedDigest = async () => (await readVersion(client, document)).version.digest;
  const put = async (etag: string | null): Promise<Outcome | ServerError> => {
    const condition =
      before.digest === null ? { ifAbsent: true } : { ...(etag !== null && { ifMatch: etag }) };
    try {
      await putDocument(client, document.url, body, { contentType: 'text/plain', ...condition });
      return 'written';
    } catch (error) {
      if (error instanceof ServerError && error.failure === 'refused') {
        if (error.details.status !== 412) return { refused: error.message };
        // The client repeats a write that an overloaded server puts off, for example with 503. If the first write was
        // stored all the same, the second fails the condition because of the first.
        const stored = await storedDigest();
        if (stored === ours) return 'written';
        const isSame = before.isKnown && stored !== null && stored === before.digest;
        return isSame && etag !== null ? await put(null) : 'changed';
      }
      if (!isUnanswered(error)) throw error;
      return error;
    }
  };
  // Without an ETag the server checks nothing, so we look ourselves whether the version still stands.
  const isUnchecked = before.digest !== null && before.etag === null;
  if (isUnchecked && (await storedDigest()) !== before.digest) return 'changed';
  const first = await put(before.etag);
  if (!(first instanceof Error)) return first;
  // The request or only its answer got lost: reading the document tells which.
  const stored = await storedDigest();
  if (stored === ours) return 'written';
  if (stored !== before.digest) return 'changed';
  // The server may have closed the idle connection while a large memory was being sealed.
  const second = await put(before.etag);
  return second instanceof Error ? { refused: second.message } : second;
}

export function bodyDigest(body: string | Uint8Array): string {
  return createHash('sha256').update(body).digest('base64');
}
