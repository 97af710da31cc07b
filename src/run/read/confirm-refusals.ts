import { mapConcurrently } from '../../base/concurrency.js';
import { chunksOf } from '../../base/lists.js';
import { isFor, type NotRead, notAsked, notRead } from '../../pod/outcome.js';
import { refusal } from '../../pod/read-resource.js';
import { isFolder } from '../../pod/resource-address.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { filesOf, foldersOf, type Pod, type Row } from '../table/row.js';
import type { PodAsker } from './ask-pod.js';
import { isTimeUp } from './patience.js';
import type { AskingRules } from './read-task.js';
import type { Item } from './reading-order.js';

interface Confirming {
  client: Pick<SolidClient, 'request'>;
  asker: PodAsker;
  /** A private document of the Analyser's own Pod, if the server is the Analyser's own; else null. */
  ownDocument: string | null;
  /** Reads files once more and records the new outcomes. */
  readFiles: (items: readonly Item[]) => Promise<void>;
}

/** How many rows of one Pod are confirmed together. */
const CONFIRMED_TOGETHER = 64;

const uncertain = notRead(
  'uncertain',
  'its server refused it, but perhaps it refuses everything at the moment',
);

/**
 * A refusal ends a share, so it has to be certain. A refused file is read again; a refused folder is asked for again.
 * Before and after the second time, the server must give the profile of the Pod's owner, which everybody may read; the
 * Analyser's own server must also give the Analyser's private document. So a firewall, a rate limit or a rejected login
 * ends no share, and nobody else's files matter. A file that is given the second time counts.
 *
 * No Pod waits for the answers of another. Of each Pod one refusal is confirmed alone, before the others, because time
 * may run out: one ended share is enough to end the earlier figures.
 */
export async function confirmRefusals(
  pods: readonly Pod[],
  { client, asker, ownDocument, readFiles }: Confirming,
  { signal }: Pick<AskingRules, 'signal'>,
): Promise<void> {
  const ask = async (root: string, url: string): Promise<NotRead | null> => {
    const question = { root, isRemembered: true, signal };
    const given = await asker.ask(question, (tries) => client.request(url, { signal, tries }));
    if ('kind' in given) return given;
    const { status } = given.answer;
    return status >= 200 && status < 300 ? null : refusal(status);
  };
  // Without an answer the storage server has gone, which ends the analysis.
  const isOwnGiven = async () => {
    if (ownDocument === null) return true;
    try {
      const { status } = await client.request(ownDocument, { signal });
      return status >= 200 && status < 300;
    } catch (error) {
      if (isTimeUp(signal)) return false;
      throw error;
    }
  };
  const isWitnessed = async ({ owner: { root, webId } }: Pod) =>
    (await isOwnGiven()) && (await ask(root, webId)) === null;
  const askAgain = async (pod: Pod, rows: readonly Row[]) => {
    const files = rows.flatMap((row) => (isFolder(row.url) ? [] : [{ pod, row }]));
    const folders = rows.filter(({ url }) => isFolder(url));
    const asked = folders.map(async (folder) => {
      folder.outcome = (await ask(pod.owner.root, folder.url)) ?? uncertain;
    });
    await Promise.all([...asked, files.length === 0 ? null : readFiles(files)]);
  };
  await mapConcurrently(pods, pods.length, async (pod) => {
    const refused = refusedRows(pod);
    if (refused.length === 0) return;
    let isCertain = await isWitnessed(pod);
    for (const rows of [refused.slice(0, 1), ...chunksOf(refused.slice(1), CONFIRMED_TOGETHER)]) {
      if (isCertain) {
        // Rows that are not asked again in time keep this outcome.
        for (const row of rows) row.outcome = notAsked;
        await askAgain(pod, rows);
        isCertain = !rows.some(isRefused) || (await isWitnessed(pod));
      }
      if (!isCertain) for (const row of rows.filter(isRefused)) row.outcome = uncertain;
    }
  });
}

/** What was read before and is refused now; other refusals end nothing. */
function refusedRows(pod: Pod): Row[] {
  return [...foldersOf(pod), ...filesOf(pod)].filter((row) => row.known !== null && isRefused(row));
}

function isRefused({ outcome }: Row): boolean {
  return isFor(outcome, 'refused');
}
