import { AnalyserError } from '../base/errors.js';
import { mapConcurrently } from '../base/map-concurrently.js';
import { isRestrictedToReaders, restrictToReaders } from '../pod/access-control.js';
import { ensureResourceKeys } from '../pod/resource-keys.js';
import { putEncryptedResource } from '../pod/write-encrypted-resource.js';
import { putDocument } from '../solid/write-document.js';
import type { Connection } from './connection.js';
import type { Parcel } from './parcel.js';

const DOCUMENTS_AT_ONCE = 8;

/** What goes wrong is noted on the parcel that it concerns; the others are written all the same. */
export async function writeDeliveries(
  { client, pod }: Connection,
  parcels: readonly Parcel[],
  encrypt: boolean,
): Promise<void> {
  try {
    const urls = parcels.map(({ delivery }) => delivery.url);
    const allKeys = encrypt ? ensureResourceKeys(client, pod, urls) : Promise.resolve(null);
    await mapConcurrently(parcels, DOCUMENTS_AT_ONCE, async (parcel) => {
      const { url, document, recipients } = parcel.delivery;
      const content = JSON.stringify(document);
      const openTo = (readers: readonly string[]) =>
        restrictToReaders(client, url, { ownerWebId: pod.webId, readers });
      try {
        // What is there from an earlier run may have been for others: neither may see the
        // other's, and a key once handed over opens both. The same readers keep their access,
        // so that they can open what they had if this run gets no further.
        const access = { ownerWebId: pod.webId, readers: recipients };
        const [isOpen, keys] = await Promise.all([
          isRestrictedToReaders(client, url, access),
          allKeys,
        ]);
        if (!isOpen) await openTo([]);
        if (keys === null) {
          await putDocument(client, url, content, { contentType: 'application/json' });
        } else {
          parcel.key = keyOf(url, keys);
          await putEncryptedResource(client, pod, { url, content }, parcel.key);
        }
        if (!isOpen) await openTo(recipients);
      } catch (error) {
        parcel.problem = asProblem(error);
      }
    });
  } catch (error) {
    for (const parcel of parcels) parcel.problem ??= asProblem(error);
  }
}

/** Never in the clear for want of a key. */
function keyOf(url: string, keys: ReadonlyMap<string, Buffer>): Buffer {
  const key = keys.get(url);
  if (key !== undefined) return key;
  throw new AnalyserError('malformed', `There is no key to encrypt ${url} with.`);
}

/** Anything else is a bug of ours, and not for the recipient to read. */
function asProblem(error: unknown): AnalyserError {
  if (error instanceof AnalyserError) return error;
  throw error;
}
