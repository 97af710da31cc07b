import { AnalyserError, failureOf, failureOr } from '../../base/errors.js';
import type { PodAccess } from '../../pod/unlock-pod.js';
import type { SolidClient } from '../../solid/solid-client.js';
import type { Connection } from '../connection.js';
import type { PodReading } from '../read/pod-reading.js';
import {
  closeToReaders,
  cohortAddress,
  cohortDocument,
  type KeyOf,
  ownDocument,
  type PublicationSettings,
  type RecipientDocument,
  writeForRecipients,
} from './recipient-documents.js';

/** What is needed to publish. */
export interface Publishing {
  connection: Connection;
  /** A client for the Analyser's own Pod, with the limit that there is for writing to it. */
  analyserPod: SolidClient;
  settings: PublicationSettings;
  /** Without keys nothing is encrypted. */
  keyOf: KeyOf | null;
}

/** A document that was written, or could not be, without its text. */
export interface Written extends Pick<RecipientDocument, 'kind' | 'podId' | 'url'> {
  /** Null if the document is not encrypted. */
  key: Buffer | null;
  /** Whether a figure of the cohort has left with it. */
  hasSentFigures: boolean;
  /** Why it could not be written. */
  failure: AnalyserError | null;
}

/** A recipient, and their own document, written or not. */
export interface OwnResult {
  pod: PodReading;
  own: Written;
}

export interface CohortPublication {
  /** Null if the document is not shared, or nobody may read it. */
  document: Written | null;
  /** Why the document of an earlier analysis could not be closed, though the cohort is not shared any more. */
  notClosed: AnalyserError | null;
}

export async function writeOwnDocument(
  publishing: Publishing,
  pod: PodReading,
  picture: Buffer | null,
): Promise<OwnResult> {
  return { pod, own: await write(publishing, ownDocument(publishing.settings, pod, picture)) };
}

/** Once, for all readers whose own document was written. */
export async function writeCohortDocument(
  publishing: Publishing,
  ownResults: readonly OwnResult[],
): Promise<CohortPublication> {
  const { settings, connection, analyserPod: client } = publishing;
  if (!settings.sharing.share_cohort_average) {
    const closing = closeToReaders({ client, pod: connection.pod }, cohortAddress(settings));
    return { document: null, notClosed: await failureOf(closing) };
  }
  const readers = ownResults.filter(({ own }) => own.failure === null).map(({ pod }) => pod);
  const document =
    readers.length === 0 ? null : await write(publishing, cohortDocument(settings, readers));
  return { document, notClosed: null };
}

async function write(
  { connection, analyserPod, keyOf }: Publishing,
  document: RecipientDocument,
): Promise<Written> {
  const { kind, podId, url, hasCohortFigures: hasSentFigures } = document;
  const access: PodAccess = { client: analyserPod, pod: connection.pod };
  const key = await failureOr(writeForRecipients(access, document, keyOf));
  return key instanceof AnalyserError
    ? { kind, podId, url, key: null, hasSentFigures: false, failure: key }
    : { kind, podId, url, key, hasSentFigures, failure: null };
}
