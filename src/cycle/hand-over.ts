import { messageOf, ServerError } from '../base/errors.js';
import { parseWebId, podDocuments } from '../pod/addresses.js';
import { logForBoth } from '../pod/append-log.js';
import { findRecipient, type Recipient } from '../pod/recipient.js';
import { putShareEntries, readShareEntries, type ShareEntries } from '../pod/share-entries.js';
import type { Connection } from './connection.js';
import type { Parcel } from './parcel.js';

/** What a hand-over has to know of the recipient; asked for while the documents are written. */
export interface Prepared {
  recipient: Recipient;
  entries: ShareEntries;
}

/** Null when it does not work: the hand-over itself will see why. */
export async function prepareHandOver(
  { client, pod }: Connection,
  webId: string,
  urls: readonly string[],
): Promise<Prepared | null> {
  const root = parseWebId(webId)?.root;
  if (root === undefined) return null;
  const documents = podDocuments(root, pod.appDir);
  const asked = await Promise.allSettled([
    findRecipient(client, webId, pod.appDir),
    readShareEntries(client, { webId, documents }, urls),
  ]);
  const [recipient, entries] = asked;
  if (recipient.status === 'rejected' || entries.status === 'rejected') return null;
  return { recipient: recipient.value, entries: entries.value };
}

/**
 * One recipient receives the keys of what was written for them, and both logs a line for
 * each. Answers the warnings; a key that did not arrive also stands in the parcel's failures.
 */
export async function handOver(
  { client, pod }: Connection,
  webId: string,
  parcels: readonly Parcel[],
  time: Date,
  prepared: Prepared | null,
): Promise<string[]> {
  const root = parseWebId(webId)?.root;
  if (parcels.length === 0 || root === undefined) return [];
  const urls = parcels.map(({ delivery }) => delivery.url);
  const shares = parcels.flatMap(({ delivery, key }) =>
    key === null ? [] : [{ url: delivery.url, key, modes: ['read' as const] }],
  );
  try {
    if (shares.length > 0) {
      const recipient = prepared?.recipient ?? (await findRecipient(client, webId, pod.appDir));
      await putShareEntries(client, recipient, shares, undefined, prepared?.entries);
    }
  } catch (error) {
    const reason = isClosed(error)
      ? `the inbox of ${webId} is closed to the Analyser (HTTP 403); its app has to open it again`
      : messageOf(error);
    for (const parcel of parcels) {
      parcel.failures.set(webId, reason);
      // Not this recipient's fault, and the next run must log in afresh.
      if (error instanceof ServerError && error.failure === 'login') parcel.problem = error;
    }
    return urls.map((url) => `${webId} did not receive the key of ${url}: ${reason}`);
  }
  try {
    const recipient = { webId, documents: podDocuments(root, pod.appDir) };
    await logForBoth(client, pod, recipient, { urls, action: 'grant', modes: ['read'], time });
    return [];
  } catch (error) {
    return [`The grant to ${webId} could not be written to a permission log: ${messageOf(error)}`];
  }
}

function isClosed(error: unknown): boolean {
  return (
    error instanceof ServerError && error.failure === 'refused' && error.details.status === 403
  );
}
