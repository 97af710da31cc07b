import { AnalyserError } from '../../base/errors.js';
import {
  isRestrictedToReaders,
  requireAccessLists,
  restrictToReaders,
} from '../../pod/access-control.js';
import { putEncryptedResource } from '../../pod/write-encrypted-resource.js';
import { putDocument } from '../../solid/documents/write-document.js';
import type { Connection } from '../connection.js';
import type { Delivery } from './delivery.js';

/** Keys of the documents by their addresses; null: they are not encrypted. */
export type DocumentKeys = Promise<ReadonlyMap<string, Buffer>> | null;

/** Puts a document where only its readers may read it; answers its key. */
export async function writeDelivery(
  { client, pod }: Connection,
  { url, document, readers }: Delivery,
  documentKeys: DocumentKeys,
): Promise<Buffer | null> {
  await requireAccessLists(client, pod.root);
  const content = JSON.stringify(document);
  const openTo = (allowed: readonly string[]) =>
    restrictToReaders(client, url, { ownerWebId: pod.webId, readers: allowed });
  // What is there from an earlier analysis may have been for others: neither may see the
  // other's, and a key once handed over opens both. The same readers keep their access,
  // so that they can open what they had if this one gets no further.
  const [isOpen, keys] = await Promise.all([
    isRestrictedToReaders(client, url, { ownerWebId: pod.webId, readers }),
    documentKeys,
  ]);
  if (!isOpen) await openTo([]);
  const key = keys === null ? null : keyOf(url, keys);
  if (key === null) await putDocument(client, url, content, { contentType: 'application/json' });
  else await putEncryptedResource(client, pod, { url, content }, key);
  if (!isOpen) await openTo(readers);
  return key;
}

/** Never in the clear for want of a key. */
function keyOf(url: string, keys: ReadonlyMap<string, Buffer>): Buffer {
  const key = keys.get(url);
  if (key !== undefined) return key;
  throw new AnalyserError('malformed', `There is no key to encrypt ${url} with.`);
}
