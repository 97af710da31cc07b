import { emptyRecord, type ReleaseRecord } from '../../analysis/release/release-record.js';
import type { Config } from '../../config/schema.js';
import { createDocumentSeal } from '../../pod/crypto/document-seal.js';
import { readSealedDocument, replaceSealedDocument } from '../../pod/sealed-document.js';
import { raiseReleaseMark, readReleaseMark } from '../../store/release-mark.js';
import { openResultsStore } from '../../store/results-store.js';
import type { Connection } from '../connection.js';
import { readRelease, writeRelease } from './release-format.js';

/** Where the record of released figures is kept, and the mark that shows whether it is the newest. */
export type ReleasePlace = ReturnType<typeof releasePlace>;

export function releasePlace(
  { client, pod }: Pick<Connection, 'client' | 'pod'>,
  output: Pick<Config['output'], 'state_dir' | 'results_dir'>,
) {
  return {
    client,
    webId: pod.webId,
    stateDir: output.state_dir,
    results: openResultsStore(output.results_dir),
    /** A private document, since no rule of access opens it. */
    document: {
      url: `${pod.documents.app}analyser/cohort-release.txt`,
      seal: createDocumentSeal(pod.masterKey),
    },
  };
}

export type KeptRelease = Awaited<ReturnType<typeof readKeptRelease>>;

export async function readKeptRelease(place: ReleasePlace) {
  const { client, document, stateDir, webId, results } = place;
  const [stored, mark] = await Promise.all([
    readSealedDocument(client, document),
    readReleaseMark(stateDir, webId),
  ]);
  const found = stored.text === null ? null : readRelease(stored.text);
  const seen = mark.state === 'read' ? mark.version : 0;
  const { url } = document;
  const findProblem = async (): Promise<string | null> => {
    if (mark.state === 'damaged') return `${mark.path} is damaged`;
    if (found !== null) {
      if (found.version >= seen) return null;
      return `${url} is older (version ${found.version}) than the one seen before (${seen})`;
    }
    if (stored.sealed !== null) {
      return `${url} does not open: it is damaged, or the security key was changed`;
    }
    if (seen > 0) return `${url} is gone`;
    if ((await results.listRuns()).length === 0) return null;
    return `${url} does not exist, although analyses have been made before`;
  };
  return {
    /** Why nothing is sent out; null when the record can be trusted. */
    withheld: await findProblem(),
    /** Empty when it could not be read. */
    record: found?.record ?? emptyRecord(),
    /** The highest known version; 0 before the first. */
    version: Math.max(found?.version ?? 0, seen),
    stored,
  };
}

/** Stores the record before any of its figures leave. The mark comes second, as it may lag behind. */
export async function keepRelease(
  { client, document, stateDir, webId }: ReleasePlace,
  { stored, version }: Pick<KeptRelease, 'stored' | 'version'>,
  record: ReleaseRecord,
): Promise<void> {
  const text = writeRelease({ version: version + 1, record });
  await replaceSealedDocument(client, document, stored, text);
  await raiseReleaseMark(stateDir, webId, version + 1);
}
