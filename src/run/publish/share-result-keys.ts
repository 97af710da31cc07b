import { type AnalyserError, messageOf, ServerError } from '../../base/errors.js';
import { parseWebId, podDocuments } from '../../pod/addresses.js';
import { logForBoth } from '../../pod/sharing/permissions-log.js';
import { findRecipientPod } from '../../pod/sharing/recipient-pod.js';
import { putShareEntries, readShareEntries } from '../../pod/sharing/share-entries.js';
import type { PodAccess } from '../connection.js';

/** Of an inbox that somebody has filled, what is left to read takes no time from others. */
const limits = { maxBytes: 8 * 1024 * 1024, mostStatements: 100_000 };

export type ReaderPod = Awaited<ReturnType<typeof lookUpReader>>;

/** The public key and inbox of a reader, fetched while the documents are written. */
export async function lookUpReader(
  { client, pod }: PodAccess,
  webId: string,
  urls: readonly string[],
) {
  const documents = documentsOf(webId, pod.appDir);
  const [recipient, entries] = await Promise.all([
    findRecipientPod(client, webId, pod.appDir),
    readShareEntries(client, { webId, documents }, urls, limits),
  ]);
  return { recipient, entries };
}

/** Hands the key of one document to the reader; throws when it did not arrive. */
export async function shareResultKey(
  { client }: PodAccess,
  { recipient, entries }: ReaderPod,
  share: { url: string; key: Buffer },
): Promise<void> {
  await putShareEntries(client, recipient, [share], { known: entries, limits });
}

/** Writes a line into both logs; returns warnings. */
export async function logGrant(
  { client, pod }: PodAccess,
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
export function whyNotReceived(webId: string, error: AnalyserError): string {
  const isClosed =
    error instanceof ServerError && error.failure === 'refused' && error.details.status === 403;
  return isClosed
    ? `the inbox of ${webId} is closed to the Analyser (HTTP 403); its app has to open it again`
    : error.message;
}

function documentsOf(webId: string, appDir: string) {
  return podDocuments(parseWebId(webId)?.root ?? '', appDir);
}
