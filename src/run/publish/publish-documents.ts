import { AnalyserError } from '../../base/errors.js';
import type { SolidClient } from '../../solid/solid-client.js';
import type { Connection } from '../connection.js';
import type { PodAccess } from '../pod-access.js';
import type { PodReading } from '../read/pod-reading.js';
import { storeDocumentKeys } from './document-keys.js';
import {
  closeToReaders,
  cohortAddress,
  cohortDocument,
  type KeyOf,
  ownDocument,
  type PublicationSettings,
  type ResultDocument,
  writeForReaders,
} from './recipient-documents.js';
import { failureOf, failureOr } from './share-result-keys.js';

/** What is needed to publish. */
export interface Publishing {
  connection: Connection;
  /** For the Analyser's own Pod, with the limit that there is for writing to it. */
  own: SolidClient;
  settings: PublicationSettings;
  /** Without keys nothing is encrypted. */
  keyOf: KeyOf | null;
}

export type DocumentName = Pick<ResultDocument, 'kind' | 'podId' | 'url'>;

/** A document that was written, without its text. */
export interface WrittenDocument extends DocumentName {
  /** Null if it is not encrypted. */
  key: Buffer | null;
  hasCohortFigures: boolean;
}

/** Why a document could not be written. */
export interface UnwrittenDocument extends DocumentName {
  failure: AnalyserError;
}

/** One reader, whose own document was written, or could not be. */
export interface Delivery {
  pod: PodReading;
  own: WrittenDocument | UnwrittenDocument;
}

/** The cohort document of an analysis. */
export type CohortDocument =
  | { kind: 'written'; document: WrittenDocument }
  | { kind: 'not written'; document: UnwrittenDocument }
  /** Nobody has a document of their own, so nobody may read this one. */
  | { kind: 'without readers'; name: DocumentName }
  /** It is not shared. `failure`: why the document of an earlier analysis could not be closed. */
  | { kind: 'not shared'; failure: AnalyserError | null };

export async function writeOwnDocument(
  publishing: Publishing,
  pod: PodReading,
  picture: Buffer | null,
): Promise<Delivery> {
  return { pod, own: await write(publishing, ownDocument(publishing.settings, pod, picture)) };
}

/**
 * Once, for all readers whose own document was written. Nobody may read it when the cohort is not shared any more.
 */
export async function writeCohortDocument(
  publishing: Publishing,
  deliveries: readonly Delivery[],
): Promise<CohortDocument> {
  const { settings, connection, own } = publishing;
  const readers = deliveries.filter((delivery) => isWritten(delivery.own)).map(({ pod }) => pod);
  const url = cohortAddress(settings);
  if (!settings.sharing.share_cohort_average) {
    const isNeeded = readers.length > 0;
    const closing = () => failureOf(closeToReaders({ client: own, pod: connection.pod }, url));
    return { kind: 'not shared', failure: isNeeded ? await closing() : null };
  }
  if (readers.length === 0) {
    return { kind: 'without readers', name: { kind: 'cohort-average', podId: 'cohort', url } };
  }
  const document = await write(publishing, cohortDocument(settings, readers));
  return isWritten(document) ? { kind: 'written', document } : { kind: 'not written', document };
}

/** After the documents, because nobody's result depends on it. Returns warnings. */
export async function storeKeys(
  { connection, own }: Publishing,
  documents: readonly WrittenDocument[],
): Promise<string[]> {
  const keys = new Map<string, Buffer>();
  for (const { url, key } of documents) if (key !== null) keys.set(url, key);
  return await storeDocumentKeys(connection, own, keys);
}

export function writtenOf(
  deliveries: readonly Delivery[],
  cohort: CohortDocument,
): WrittenDocument[] {
  const own = deliveries.map((delivery) => delivery.own).filter(isWritten);
  return cohort.kind === 'written' ? [...own, cohort.document] : own;
}

export function isWritten(
  document: WrittenDocument | UnwrittenDocument,
): document is WrittenDocument {
  return 'key' in document;
}

async function write(
  { connection, own, keyOf }: Publishing,
  document: ResultDocument,
): Promise<WrittenDocument | UnwrittenDocument> {
  const { kind, podId, url, hasCohortFigures } = document;
  const access: PodAccess = { client: own, pod: connection.pod };
  const key = await failureOr(writeForReaders(access, document, keyOf));
  if (key instanceof AnalyserError) return { kind, podId, url, failure: key };
  return { kind, podId, url, key, hasCohortFigures };
}
