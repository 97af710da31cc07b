import type { Disclose } from '../../analysis/cohort-disclosure.js';
import { averagesOf, type Figures, units } from '../../analysis/reading.js';
import { type AnalyserError, failureOf, isUnanswered } from '../../base/errors.js';
import type { StudyPeriod } from '../../base/study-period.js';
import type { Config } from '../../config/schema.js';
import type {
  CohortAverageDocument,
  PodAverageDocument,
} from '../../documents/published-document.js';
import {
  isRestrictedToReaders,
  readOwnRules,
  requireAccessLists,
  restrictToReaders,
  writeRules,
} from '../../pod/access-control.js';
import { publishedAddress } from '../../pod/addresses.js';
import type { PodAccess, UnlockedPod } from '../../pod/unlock-pod.js';
import { putEncryptedResource } from '../../pod/write-resource.js';
import { putDocument } from '../../solid/documents.js';
import type { SolidClient } from '../../solid/solid-client.js';
import type { Connection } from '../connection.js';
import type { PodReading } from '../read/pod-reading.js';

export interface RecipientDocument {
  podId: string;
  url: string;
  kind: (PodAverageDocument | CohortAverageDocument)['kind'];
  text: string;
  /** Whether a figure of the cohort stands in it. */
  hasCohortFigures: boolean;
  readers: readonly string[];
}

export interface PublicationSettings {
  sharing: Config['sharing'];
  period: StudyPeriod | null;
  analyser: Pick<UnlockedPod, 'webId' | 'documents'>;
  generatedAt: string;
  podCount: number;
  disclose: Disclose;
  /** How large the noise in the cohort figures is; absent where these are exact. */
  noise: Figures | undefined;
}

export function ownDocument(
  settings: PublicationSettings,
  { owner, summary, home, recent, filesRead, filesSkipped }: PodReading,
  chart: Buffer | null,
): RecipientDocument {
  const { root, podId, webId } = owner;
  const content: PodAverageDocument = {
    ...commonContent(settings, [root]),
    kind: 'pod-average',
    average: averagesOf(summary.measures),
    pod: { ...summary, files_read: filesRead, files_skipped: filesSkipped, home, recent },
    ...(chart !== null && {
      chart: { format: 'png', encoding: 'base64', data: chart.toString('base64') },
    }),
  };
  return recipientDocument(ownAddress(settings, podId), podId, content, [webId]);
}

/** One document for all readers, so it holds only figures that every one of them may see. */
export function cohortDocument(
  settings: PublicationSettings,
  recipients: readonly PodReading[],
): RecipientDocument {
  const roots = recipients.map(({ owner }) => owner.root);
  const readers = recipients.map(({ owner }) => owner.webId);
  const content: CohortAverageDocument = {
    ...commonContent(settings, roots),
    kind: 'cohort-average',
  };
  return recipientDocument(cohortAddress(settings), 'cohort', content, readers);
}

function recipientDocument(
  url: string,
  podId: string,
  content: PodAverageDocument | CohortAverageDocument,
  readers: readonly string[],
): RecipientDocument {
  const { average_of_averages, pooled_average } = content.cohort;
  const figures = [...Object.values(average_of_averages), ...Object.values(pooled_average)];
  const hasCohortFigures = figures.some((figure) => figure !== null);
  return {
    podId,
    url,
    kind: content.kind,
    text: JSON.stringify(content),
    readers,
    hasCohortFigures,
  };
}

type AddressSettings = Pick<PublicationSettings, 'sharing' | 'analyser'>;

export function ownAddress(settings: AddressSettings, podId: string): string {
  return addressOf(settings, podId, 'bp-average');
}

export function cohortAddress(settings: AddressSettings): string {
  return addressOf(settings, 'cohort', 'bp-cohort-average');
}

export function resultsFolder({ sharing: { results_dir }, analyser }: AddressSettings): string {
  return publishedAddress(analyser.documents, results_dir, '', '').slice(0, -1);
}

function addressOf(
  { sharing: { results_dir }, analyser }: AddressSettings,
  podId: string,
  name: string,
): string {
  // Results that are not encrypted have the same address: readers find them, and they replace the encrypted document.
  return publishedAddress(analyser.documents, results_dir, podId, `${name}.json.enc.ttl`);
}

function commonContent(
  { analyser, generatedAt, podCount, disclose, noise, period }: PublicationSettings,
  roots: readonly string[],
) {
  return {
    schema_version: 1 as const,
    generated_at: generatedAt,
    analyser_web_id: analyser.webId,
    ...(period !== null && { period }),
    cohort: { pod_count: podCount, ...disclose(roots) },
    ...(noise !== undefined && { cohort_noise: noise }),
    units,
  };
}

export interface Publishing {
  connection: Connection;
  /** A client for the Analyser's own Pod, with the limit that there is for writing to it. */
  analyserPod: SolidClient;
  settings: PublicationSettings;
  /** Null when documents are published without encryption. */
  keyOf: ((url: string) => Buffer) | null;
}

/** Closes a document of an earlier analysis to everybody. One question if there is none, or if it is closed already. */
export async function closeToReaders({ client, pod }: PodAccess, url: string): Promise<void> {
  const access = { ownerWebId: pod.webId, readers: [] };
  const rules = await readOwnRules(client, url);
  if (rules === null || isRestrictedToReaders(rules, url, access)) return;
  await restrictToReaders(client, url, access);
}

/** A document that was written, or could not be, without its text. */
export interface Written extends Pick<RecipientDocument, 'kind' | 'podId' | 'url'> {
  key: Buffer | null;
  /** Whether a figure of the cohort has left with it, or perhaps has, since the server gave no answer. */
  hasSentFigures: boolean;
  failure: AnalyserError | null;
}

export async function writeForRecipients(
  { connection, analyserPod: client, keyOf }: Publishing,
  document: RecipientDocument,
): Promise<Written> {
  const access = { client, pod: connection.pod };
  const { kind, podId, url, hasCohortFigures } = document;
  const key = keyOf?.(url) ?? null;
  const failure = await failureOf(writeOpenTo(access, document, key));
  const hasSentFigures = hasCohortFigures && (failure === null || isUnanswered(failure));
  return { kind, podId, url, key: failure === null ? key : null, hasSentFigures, failure };
}

async function writeOpenTo(
  { client, pod }: PodAccess,
  { url, text, readers }: RecipientDocument,
  key: Buffer | null,
): Promise<void> {
  requireAccessLists(pod);
  const access = { ownerWebId: pod.webId, readers };
  // The key never changes. If the readers change, nobody has access during the write: old readers must not open the new
  // text, nor new readers the old text. If the readers stay the same, their access is not closed meanwhile. So they can
  // open the earlier text if this write fails.
  const before = await readOwnRules(client, url);
  const hasRightReaders = isRestrictedToReaders(before, url, access);
  if (!hasRightReaders) await restrictToReaders(client, url, { ...access, readers: [] });
  try {
    if (key === null) await putDocument(client, url, text, { contentType: 'application/json' });
    else await putEncryptedResource(client, pod, { url, content: text }, key);
  } catch (error) {
    // The earlier text still stands there, so its readers may have it again. Without an answer nobody knows what stands
    // there.
    if (!hasRightReaders && before !== null && !isUnanswered(error)) {
      await writeRules(client, url, before).catch(() => undefined);
    }
    throw error;
  }
  if (!hasRightReaders) await restrictToReaders(client, url, access);
}
