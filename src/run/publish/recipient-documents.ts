import { averagesOf } from '../../analysis/figures.js';
import { units } from '../../analysis/reading.js';
import { AnalyserError } from '../../base/errors.js';
import type { Config } from '../../config/schema.js';
import type {
  CohortAverageDocument,
  PodAverageDocument,
} from '../../documents/published-document.js';
import {
  isRestrictedToReaders,
  requireAccessLists,
  restrictToReaders,
} from '../../pod/access-control.js';
import { publishedAddress } from '../../pod/addresses.js';
import type { UnlockedPod } from '../../pod/unlock-pod.js';
import { putEncryptedResource } from '../../pod/write-encrypted-resource.js';
import { putDocument } from '../../solid/documents/write-document.js';
import type { Disclose } from '../conclude/release-figures.js';
import type { PodAccess } from '../connection.js';
import type { PodReading } from '../read/read-task.js';

/** Whoever is given the result of a Pod: its owner, as the caller spells the WebID. */
export interface Recipient {
  pod: PodReading;
  webId: string;
  /** Of this spelling, from which the app works out the address; `pod.owner.podId` names the chart. */
  podId: string;
  /** The same WebID in all spellings that its owner is known to use. */
  spellings: readonly string[];
}

/** A document of the Analyser Pod and the WebIDs that may open it. */
export interface ResultDocument {
  podId: string;
  url: string;
  kind: (PodAverageDocument | CohortAverageDocument)['kind'];
  /** JSON. */
  text: string;
  readers: readonly string[];
}

export interface PublicationSettings {
  sharing: Config['sharing'];
  analyser: Pick<UnlockedPod, 'webId' | 'documents'>;
  generatedAt: string;
  disclose: Disclose;
}

export function ownDocument(
  settings: PublicationSettings,
  { pod: { owner, summary, home, filesRead, filesSkipped }, podId, spellings }: Recipient,
  chart: Buffer | null,
): ResultDocument {
  const { observation_count, measures, first_observation, last_observation } = summary;
  const content: PodAverageDocument = {
    ...commonContent(settings, [owner.root]),
    kind: 'pod-average',
    average: averagesOf(measures),
    pod: {
      observation_count,
      measures,
      files_read: filesRead,
      files_skipped: filesSkipped,
      first_observation,
      last_observation,
      home,
    },
    ...(chart !== null && {
      chart: {
        format: 'png',
        encoding: 'base64',
        data: chart.toString('base64'),
      },
    }),
  };
  const url = ownAddress(settings, podId);
  return { podId, url, kind: content.kind, text: JSON.stringify(content), readers: spellings };
}

/** One document for all readers, so it holds only figures that every one of them may see. */
export function cohortDocument(
  settings: PublicationSettings,
  recipients: readonly Recipient[],
): ResultDocument {
  const roots = recipients.map(({ pod }) => pod.owner.root);
  const readers = [...new Set(recipients.flatMap(({ spellings }) => spellings))];
  const content: CohortAverageDocument = {
    ...commonContent(settings, roots),
    kind: 'cohort-average',
  };
  const url = addressOf(settings, 'cohort', 'bp-cohort-average');
  return { podId: 'cohort', url, kind: content.kind, text: JSON.stringify(content), readers };
}

export function ownAddress(settings: PublicationSettings, podId: string): string {
  return addressOf(settings, podId, 'bp-average');
}

function addressOf(
  { sharing: { results_dir, encrypt_results }, analyser }: PublicationSettings,
  podId: string,
  name: string,
): string {
  const suffix = encrypt_results ? '.json.enc.ttl' : '.json';
  return publishedAddress(analyser.documents, results_dir, podId, `${name}${suffix}`);
}

function commonContent(
  { analyser, generatedAt, disclose }: PublicationSettings,
  roots: readonly string[],
) {
  return {
    schema_version: 1 as const,
    generated_at: generatedAt,
    analyser_web_id: analyser.webId,
    cohort: disclose(roots),
    units,
  };
}

/** Keys of the documents by address; null when they are not encrypted. */
export type DocumentKeys = Promise<ReadonlyMap<string, Buffer>> | null;

/** Writes a document that only its readers may read; returns its key. */
export async function writeForReaders(
  { client, pod }: PodAccess,
  { url, text, readers }: ResultDocument,
  documentKeys: DocumentKeys,
): Promise<Buffer | null> {
  requireAccessLists(pod);
  const access = { ownerWebId: pod.webId, readers };
  // The key never changes. When the readers do, nobody has access during the write, so that old
  // readers cannot open the new text, nor new readers the old one. The same readers keep their
  // access, so that they can open the earlier text if this write fails.
  const [hasRightReaders, keys] = await Promise.all([
    isRestrictedToReaders(client, url, access),
    documentKeys,
  ]);
  if (!hasRightReaders) await restrictToReaders(client, url, { ...access, readers: [] });
  const key = keys === null ? null : keyOf(url, keys);
  if (key === null) await putDocument(client, url, text, { contentType: 'application/json' });
  else await putEncryptedResource(client, pod, { url, content: text }, key);
  if (!hasRightReaders) await restrictToReaders(client, url, access);
  return key;
}

/** Throws rather than have a document written in the clear for want of a key. */
function keyOf(url: string, keys: ReadonlyMap<string, Buffer>): Buffer {
  const key = keys.get(url);
  if (key !== undefined) return key;
  throw new AnalyserError('malformed', `There is no key to encrypt ${url} with.`);
}
