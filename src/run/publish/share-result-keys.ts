import { AnalyserError, failureOf, resultOrFailure, ServerError } from '../../base/errors.js';
import { getOrAdd } from '../../base/lists.js';
import { parseWebId, podDocuments } from '../../pod/addresses.js';
import { shareId, shareSubject } from '../../pod/formats/shared-keys.js';
import {
  findRecipientPod,
  type NewShare,
  putShareEntries,
  readShareEntries,
  sealShare,
} from '../../pod/sharing/share-entries.js';
import type { PodAccess } from '../../pod/unlock-pod.js';
import type { Triple } from '../../solid/turtle.js';

/** Bounds what is read, because reading an inbox that somebody has filled takes time from others. */
const limits = { maxBytes: 8 * 1024 * 1024, mostStatements: 100_000 };
/** A hand-over leaves three statements about a share: path, access and key. */
const STATEMENTS_OF_A_SHARE = 3;

async function lookUpRecipient({ client, pod }: PodAccess, webId: string, urls: readonly string[]) {
  const documents = documentsOfRecipient(webId, pod.appDir);
  const [recipient, entries] = await Promise.all([
    findRecipientPod(client, webId, pod.appDir),
    readShareEntries(client, { webId, documents }, urls, limits),
  ]);
  return { recipient, entries };
}

/**
 * Hands over the own key and that of the cohort document in one change of the inbox. Returns the documents whose keys
 * did not arrive, each with the reason. Strangers can plant statements about the cohort document, which must not hold
 * up the own key: where there are any, it goes first. If one change for both fails, the own key is sent again, alone.
 */
export async function shareResultKeys(
  access: PodAccess,
  webId: string,
  shares: readonly NewShare[],
): Promise<Map<string, AnalyserError>> {
  const [own, cohort] = shares;
  if (own === undefined) return new Map();
  const urls = shares.map(({ url }) => url);
  const found = await resultOrFailure(lookUpRecipient(access, webId, urls));
  if (found instanceof AnalyserError) return missing(shares, found);
  const { recipient, entries } = found;
  const sealed = new Map<string, Triple[]>();
  const seal: typeof sealShare = (share, to) =>
    getOrAdd(sealed, share.url, () => sealShare(share, to));
  const put = async (
    some: readonly NewShare[],
    known?: typeof entries,
  ): Promise<Map<string, AnalyserError>> => {
    const options = known === undefined ? { limits, seal } : { known, limits, seal };
    const failure = await failureOf(putShareEntries(access.client, recipient, some, options));
    return failure === null ? new Map() : missing(some, failure);
  };
  if (cohort !== undefined && isPlanted(cohort.url, found)) {
    const first = await put([own], entries);
    const [failure] = first.values();
    return failure === undefined ? await put([cohort]) : missing(shares, failure);
  }
  const missed = await put(shares, entries);
  if (cohort === undefined || missed.size === 0) return missed;
  missed.delete(own.url);
  return new Map([...(await put([own])), ...missed]);
}

/** Whether the inbox says more about the share than a hand-over leaves. */
function isPlanted(
  url: string,
  { recipient, entries }: Awaited<ReturnType<typeof lookUpRecipient>>,
): boolean {
  const about = shareSubject(shareId(url, recipient.webId));
  const statements = entries?.filter(({ subject }) => subject === about) ?? [];
  return statements.length > STATEMENTS_OF_A_SHARE;
}

function missing(shares: readonly NewShare[], why: AnalyserError): Map<string, AnalyserError> {
  return new Map(shares.map(({ url }) => [url, why]));
}

/** Worded for the recipient. */
export function whyNotReceived(webId: string, error: AnalyserError): string {
  const isClosed =
    error instanceof ServerError && error.failure === 'refused' && error.details.status === 403;
  return isClosed
    ? `the inbox of ${webId} is closed to the Analyser (HTTP 403); its app has to open it again`
    : error.message;
}

export function documentsOfRecipient(webId: string, appDir: string) {
  return podDocuments(parseWebId(webId)?.root ?? '', appDir);
}
