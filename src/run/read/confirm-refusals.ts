import { chunksOf } from '../../base/lists.js';
import { isFor, isNotRead, perhapsRefused } from '../../pod/outcome.js';
import { isSuccess } from '../../solid/documents.js';
import type { SolidClient } from '../../solid/solid-client.js';
import type { FileOutcome, Pod, Row } from '../table/row.js';
import { askForAnalyserDocument, type PodAsker } from './ask-pod.js';
import type { Asking } from './read-task.js';

interface Confirming {
  client: Pick<SolidClient, 'request'>;
  asker: PodAsker;
  /** A private document of the Analyser's own Pod, if the server is the Analyser's own; else null. */
  analyserDocument: string | null;
  /** Once more; one outcome for each, in their order. */
  readFiles: (rows: readonly Row[]) => Promise<readonly FileOutcome[]>;
  note: (row: Row, outcome: FileOutcome) => void;
  asking: Asking;
}

const CONFIRMED_TOGETHER = 64;

/**
 * A refusal ends a share, so it has to be certain. A refused file is read again. Before and after the second time, a
 * witness has to be given: the profile of the Pod's owner, which everybody may read, and by the Analyser's own server the
 * Analyser's private document. So a firewall, a rate limit or a rejected login ends no share, and nobody else's files
 * matter. A file that is given the second time counts. Until then `rows` are perhaps refused, and what there is no time
 * for stays so.
 *
 * One refusal is confirmed alone, before the others, because time may run out: one ended share is enough to end the
 * earlier sums.
 */
export async function confirmRefusals(
  pod: Pod,
  rows: readonly Row[],
  confirming: Confirming,
): Promise<void> {
  const { readFiles, note } = confirming;
  const isGiven = witnessOf(pod, confirming);
  if (!(await isGiven())) return;
  for (const some of [rows.slice(0, 1), ...chunksOf(rows.slice(1), CONFIRMED_TOGETHER)]) {
    const outcomes = await readFiles(some);
    const hasWitness = !outcomes.some(isRefused) || (await isGiven());
    for (const [index, row] of some.entries()) {
      const outcome = outcomes[index];
      if (outcome !== undefined)
        note(row, isRefused(outcome) && !hasWitness ? perhapsRefused : outcome);
    }
    if (!hasWitness) return;
  }
}

/** Asks whether the server gives, at this moment, what it gives when nothing is wrong. */
function witnessOf(
  { owner: { root, webId } }: Pod,
  { client, asker, analyserDocument, asking }: Confirming,
): () => Promise<boolean> {
  const isProfileGiven = async () => {
    const given = await asker.ask({ root, isKnown: true, ...asking }, (how) =>
      client.request(webId, how),
    );
    return !isNotRead(given) && isSuccess(given);
  };
  return async () =>
    (analyserDocument === null ||
      (await askForAnalyserDocument(client, analyserDocument, asking.deadline))) &&
    (await isProfileGiven());
}

function isRefused(outcome: FileOutcome): boolean {
  return isFor(outcome, 'refused');
}
