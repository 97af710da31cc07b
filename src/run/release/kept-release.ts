import { emptyRecord, type ReleaseRecord } from '../../analysis/release/release-record.js';
import { createDocumentSeal } from '../../pod/crypto/document-seal.js';
import {
  readSealedDocument,
  replaceSealedDocument,
  type SealedDocument,
  type StoredVersion,
} from '../../pod/sealed-document.js';
import type { UnlockedPod } from '../../pod/unlock-pod.js';
import { raiseReleaseMark, readReleaseMark } from '../../store/release-mark.js';
import type { ResultsStore } from '../../store/results-store.js';
import type { Connection } from '../connection.js';
import { readRelease, writeRelease } from './release-format.js';

/** Where the record of released figures is kept, and the mark that shows whether it is the newest. */
export interface ReleasePlace {
  client: Connection['client'];
  webId: string;
  stateDir: string;
  document: SealedDocument;
  results: Pick<ResultsStore, 'listRuns'>;
}

export interface KeptRelease {
  /** Why nothing is sent out; null when the record can be trusted. */
  withheld: string | null;
  /** Empty when it could not be read. */
  record: ReleaseRecord;
  /** The highest known version; 0 before the first. */
  version: number;
  stored: StoredVersion;
}

export function releasePlace(
  { client, pod }: Pick<Connection, 'client' | 'pod'>,
  stateDir: string,
  results: Pick<ResultsStore, 'listRuns'>,
): ReleasePlace {
  return { client, webId: pod.webId, stateDir, document: releaseDocument(pod), results };
}

/** A private document, since no rule of access opens it. */
function releaseDocument(pod: Pick<UnlockedPod, 'documents' | 'masterKey'>): SealedDocument {
  return {
    url: `${pod.documents.app}analyser/cohort-release.txt`,
    seal: createDocumentSeal(pod.masterKey, 'cohort-release'),
  };
}

export async function readKeptRelease(place: ReleasePlace): Promise<KeptRelease> {
  const { client, document, stateDir, webId } = place;
  const [stored, mark] = await Promise.all([
    readSealedDocument(client, document),
    readReleaseMark(stateDir, webId),
  ]);
  const found = stored.text === null ? null : readRelease(stored.text);
  const seen = mark.state === 'read' ? mark.version : 0;
  const kept = {
    record: found?.record ?? emptyRecord(),
    version: Math.max(found?.version ?? 0, seen),
    stored,
  };
  const withhold = (reason: string) => ({ ...kept, withheld: reason });
  const { url } = document;
  if (mark.state === 'damaged') return withhold(`${mark.path} is damaged`);
  if (found !== null) {
    if (found.version >= seen) return { ...kept, withheld: null };
    return withhold(
      `${url} is older (version ${found.version}) than the one seen before (${seen})`,
    );
  }
  if (stored.sealed !== null) {
    return withhold(`${url} does not open: it is damaged, or the security key was changed`);
  }
  if (seen > 0) return withhold(`${url} is gone`);
  const isFirst = (await place.results.listRuns()).length === 0;
  return isFirst
    ? { ...kept, withheld: null }
    : withhold(`${url} does not exist, although analyses have been made before`);
}

/** Stores the record before any of its figures leave. The mark comes second, as it may lag behind. */
export async function keepRelease(
  place: ReleasePlace,
  { stored, version }: Pick<KeptRelease, 'stored' | 'version'>,
  record: ReleaseRecord,
): Promise<void> {
  const text = writeRelease({ version: version + 1, record });
  await replaceSealedDocument(place.client, place.document, stored, text);
  await noteVersion(place, version + 1);
}

/** Raises the mark to a version that another machine may have written. */
export async function noteVersion(
  { stateDir, webId }: Pick<ReleasePlace, 'stateDir' | 'webId'>,
  version: number,
): Promise<void> {
  await raiseReleaseMark(stateDir, webId, version);
}
