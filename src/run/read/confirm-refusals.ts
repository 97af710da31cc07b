import { mapConcurrently } from '../../base/concurrency.js';
import { chunksOf } from '../../base/lists.js';
import { isFor, isNotRead, notRead } from '../../pod/outcome.js';
import { isSuccess } from '../../solid/documents.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { filesOf, type Pod, type Row } from '../table/row.js';
import { isAnalyserDocumentGiven, type PodAsker } from './ask-pod.js';
import type { Deadline } from './deadline.js';
import type { PodRow } from './reading-order.js';

interface Confirming {
  client: Pick<SolidClient, 'request'>;
  asker: PodAsker;
  /** A private document of the Analyser's own Pod, if the server is the Analyser's own; else null. */
  analyserDocument: string | null;
  /** Reads files once more, and notes the new answers. */
  readFiles: (files: readonly PodRow[]) => Promise<void>;
  deadline: Deadline;
}

/** How many rows of one Pod are confirmed together. */
const CONFIRMED_TOGETHER = 64;

const uncertain = notRead(
  'uncertain',
  'its server refused it, but perhaps it refuses everything at the moment',
);

/**
 * A refusal ends a share, so it has to be certain. A refused file is read again. Before and after the second time, a
 * witness has to be given: the profile of the Pod's owner, which everybody may read, and by the Analyser's own server the
 * Analyser's private document. So a firewall, a rate limit or a rejected login ends no share, and nobody else's files
 * matter. A file that is given the second time counts.
 *
 * No Pod waits for the answers of another. Of each Pod one refusal is confirmed alone, before the others, because time
 * may run out: one ended share is enough to end the earlier sums.
 */
export async function confirmRefusals(pods: readonly Pod[], confirming: Confirming): Promise<void> {
  await mapConcurrently(pods, pods.length, async (pod) => {
    const refused = filesOf(pod).filter((row) => row.known !== null && isRefused(row));
    const isGiven = witnessOf(pod, confirming);
    let hasWitness = refused.length > 0 && (await isGiven());
    for (const rows of [refused.slice(0, 1), ...chunksOf(refused.slice(1), CONFIRMED_TOGETHER)]) {
      if (hasWitness) {
        await confirming.readFiles(rows.map((row) => ({ pod, row })));
        hasWitness = !rows.some(isRefused) || (await isGiven());
      }
      if (!hasWitness) for (const row of rows.filter(isRefused)) row.outcome = uncertain;
    }
  });
}

/** Asks whether the server gives, at this moment, what it gives when nothing is wrong. */
function witnessOf(
  { owner: { root, webId } }: Pod,
  { client, asker, analyserDocument, deadline }: Confirming,
): () => Promise<boolean> {
  const { signal } = deadline;
  const isProfileGiven = async () => {
    const given = await asker.ask({ root, isKnown: true, deadline }, (tries) =>
      client.request(webId, { signal, tries }),
    );
    return !isNotRead(given) && isSuccess(given);
  };
  return async () =>
    (analyserDocument === null ||
      (await isAnalyserDocumentGiven(client, analyserDocument, deadline))) &&
    (await isProfileGiven());
}

function isRefused({ outcome }: Row): boolean {
  return isFor(outcome, 'refused');
}
