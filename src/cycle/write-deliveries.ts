import { AnalyserError } from '../base/errors.js';
import { mapConcurrently } from '../base/map-concurrently.js';
import { restrictToReaders } from '../pod/access-control.js';
import { ensureResourceKeys } from '../pod/resource-keys.js';
import { putEncryptedResource } from '../pod/write-encrypted-resource.js';
import { putDocument } from '../solid/write-document.js';
import type { Connection } from './connection.js';
import type { Parcel } from './publish.js';

const DOCUMENTS_AT_ONCE = 8;

/** Answers the first failure, or null; the others are written all the same. */
export async function writeDeliveries(
  { client, pod }: Connection,
  parcels: readonly Parcel[],
  encrypt: boolean,
): Promise<AnalyserError | null> {
  const failures: AnalyserError[] = [];
  try {
    const urls = parcels.map(({ delivery }) => delivery.url);
    const keys = encrypt ? await ensureResourceKeys(client, pod, urls) : null;
    await mapConcurrently(parcels, DOCUMENTS_AT_ONCE, async (parcel) => {
      const { url, document, recipients } = parcel.delivery;
      const content = JSON.stringify(document);
      try {
        // Before the new content is there, so that an earlier reader never sees it.
        await restrictToReaders(client, url, { ownerWebId: pod.webId, readers: recipients });
        parcel.key = keys?.get(url) ?? null;
        if (parcel.key === null) {
          await putDocument(client, url, content, { contentType: 'application/json' });
        } else {
          await putEncryptedResource(client, pod, { url, content }, parcel.key);
        }
        parcel.isWritten = true;
      } catch (error) {
        failures.push(asFailure(error));
      }
    });
  } catch (error) {
    failures.push(asFailure(error));
  }
  return failures[0] ?? null;
}

/** Anything else is a bug of ours, and not for the recipient to read. */
function asFailure(error: unknown): AnalyserError {
  if (error instanceof AnalyserError) return error;
  throw error;
}
