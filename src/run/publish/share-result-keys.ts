import { messageOf, ServerError } from '../../base/errors.js';
import { parseWebId, podDocuments } from '../../pod/addresses.js';
import { logForBoth } from '../../pod/sharing/append-log.js';
import { findRecipient, type Recipient } from '../../pod/sharing/recipient.js';
import {
  putShareEntries,
  readShareEntries,
  type ShareEntries,
} from '../../pod/sharing/share-entries.js';
import type { Connection } from '../connection.js';

/** The public key and inbox of a reader, fetched while the documents are written. */
export interface ReaderPod {
  recipient: Recipient;
  entries: ShareEntries;
}

export async function lookUpReader(
  { client, pod }: Connection,
  webId: string,
  urls: readonly string[],
): Promise<ReaderPod> {
  const documents = documentsOf(webId, pod.appDir);
  const [recipient, entries] = await Promise.all([
    findRecipient(client, webId, pod.appDir),
    readShareEntries(client, { webId, documents }, urls),
  ]);
  return { recipient, entries };
}

/** Hands the key of one document to the reader; throws when it did not arrive. */
export async function shareResultKey(
  { client }: Connection,
  reader: ReaderPod,
  url: string,
  key: Buffer,
): Promise<void> {
  const shares = [{ url, key, modes: ['read' as const] }];
  await putShareEntries(client, reader.recipient, shares, reader.entries);
}

/** Writes a line into both logs; returns warnings. */
export async function logGrant(
  { client, pod }: Connection,
  webId: string,
  url: string,
  time: Date,
): Promise<string[]> {
  try {
    const reader = { webId, documents: documentsOf(webId, pod.appDir) };
    const grant = { urls: [url], action: 'grant', time } as const;
    await logForBoth(client, pod, reader, grant);
    return [];
  } catch (error) {
    return [`The grant to ${webId} could not be written to a permission log: ${messageOf(error)}`];
  }
}

/** Why the key of a document did not arrive, worded for the reader. */
export function whyNotReceived(webId: string, error: unknown): string {
  return isClosed(error)
    ? `the inbox of ${webId} is closed to the Analyser (HTTP 403); its app has to open it again`
    : messageOf(error);
}

function documentsOf(webId: string, appDir: string) {
  return podDocuments(parseWebId(webId)?.root ?? '', appDir);
}

function isClosed(error: unknown): boolean {
  return (
    error instanceof ServerError && error.failure === 'refused' && error.details.status === 403
  );
}
