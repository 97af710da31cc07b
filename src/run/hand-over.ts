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

export async function prepareHandOver(
  { client, pod }: Connection,
  webId: string,
  urls: readonly string[],
): Promise<Prepared> {
  const documents = podDocuments(parseWebId(webId)?.root ?? '', pod.appDir);
  const [recipient, entries] = await Promise.all([
    findRecipient(client, webId, pod.appDir),
    readShareEntries(client, { webId, documents }, urls),
  ]);
  return { recipient, entries };
}

/**
 * One recipient receives the keys of what was written for them, and both logs a line for
 * each. Answers the warnings; a key that did not arrive also stands in the parcel's failures.
 * What failed while it was prepared is not tried again: a Pod that gives no answer would keep
 * everybody waiting twice.
 */
export async function handOver(
  connection: Connection,
  webId: string,
  parcels: readonly Parcel[],
  time: Date,
  prepared?: Promise<Prepared>,
): Promise<string[]> {
  const { client, pod } = connection;
  const root = parseWebId(webId)?.root;
  if (parcels.length === 0 || root === undefined) return [];
  const urls = parcels.map(({ delivery }) => delivery.url);
  const shares = parcels.flatMap(({ delivery, key }) =>
    key === null ? [] : [{ url: delivery.url, key, modes: ['read' as const] }],
  );
  try {
    if (shares.length > 0) {
      const known = await (prepared ?? prepareHandOver(connection, webId, urls));
      await putShareEntries(client, known.recipient, shares, undefined, known.entries);
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
