import { mapConcurrently } from '../../base/concurrency.js';
import { chunksOf } from '../../base/lists.js';
import { isFor, type NotRead, notAsked, notRead } from '../../pod/outcome.js';
import { refusal } from '../../pod/read-resource.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { isTimeUp, type PodAsker } from './ask-pod.js';
import type { PodShares } from './pod-shares.js';
import type { AskingRules } from './read-task.js';
import type { FilesPiece } from './server-queue.js';
import { isRemembered, type SharedFile, type SharedFolder } from './shared-file.js';

interface Confirming {
  client: Pick<SolidClient, 'request'>;
  asker: PodAsker;
  /** A private document of the Analyser's own Pod, if the server is the Analyser's own; else null. */
  ownDocument: string | null;
  /** Reads files once more and records the new outcomes. */
  readFiles: (ofPods: FilesPiece['ofPods']) => Promise<void>;
}

/** How many items of one Pod are confirmed together. */
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
  pods: readonly PodShares[],
  { client, asker, ownDocument, readFiles }: Confirming,
  { signal }: Pick<AskingRules, 'signal'>,
): Promise<void> {
  const ask = async ({ root, url }: Witness): Promise<NotRead | null> => {
    const question = { root, isRemembered: true, signal };
    const given = await asker.ask(question, (tries) => client.request(url, { signal, tries }));
    if ('kind' in given) return given;
    const { status } = given.answer;
    return status >= 200 && status < 300 ? null : refusal(status);
  };
  // Without an answer the storage server has gone, which ends the analysis.
  const askOwn = async () => {
    if (ownDocument === null) return true;
    try {
      const { status } = await client.request(ownDocument, { signal });
      return status >= 200 && status < 300;
    } catch (error) {
      if (isTimeUp(signal)) return false;
      throw error;
    }
  };
  let asking: Promise<boolean> | null = null;
  const isOwnGiven = () => {
    asking ??= askOwn().finally(() => {
      asking = null;
    });
    return asking;
  };
  const isWitnessed = async ({ owner: { root, webId } }: PodShares) =>
    (await isOwnGiven()) && (await ask({ root, url: webId })) === null;
  const askAgain = async (pod: PodShares, items: readonly Item[]) => {
    const files = items.flatMap((item) => ('listing' in item ? [] : [item]));
    const reading = files.length === 0 ? null : readFiles([{ pod, files }]);
    const asking = items.map(async (item) => {
      if (!('listing' in item)) return;
      const { root } = pod.owner;
      setOutcome(item, (await ask({ root, url: item.share.url })) ?? uncertain);
    });
    await Promise.all([reading, ...asking]);
  };
  const confirm = async (pod: PodShares) => {
    const refused = refusalsOf(pod);
    if (refused.length === 0) return;
    let isCertain = await isWitnessed(pod);
    for (const items of [refused.slice(0, 1), ...chunksOf(refused.slice(1), CONFIRMED_TOGETHER)]) {
      if (isCertain) {
        // Items that are not asked again in time keep this outcome.
        for (const item of items) setOutcome(item, notAsked);
        await askAgain(pod, items);
        isCertain = !items.some(isRefused) || (await isWitnessed(pod));
      }
      if (!isCertain) for (const item of items) if (isRefused(item)) setOutcome(item, uncertain);
    }
  };
  await mapConcurrently(pods, pods.length, confirm);
}

interface Witness {
  root: string;
  url: string;
}

type Item = SharedFile | SharedFolder;

/** Remembered files and folders that are refused now; other refusals end nothing. */
function refusalsOf(pod: PodShares): Item[] {
  const folders = [...pod.folders.values()].filter(({ share }) => share.isRemembered);
  const files = [...pod.files.values()].filter(isRemembered);
  return [...folders, ...files].filter(isRefused);
}

function isRefused(item: Item): boolean {
  const outcome = 'listing' in item ? item.listing?.outcome : item.reading?.outcome;
  return outcome !== undefined && isFor(outcome, 'refused');
}

function setOutcome(item: Item, outcome: NotRead): void {
  if (!('listing' in item)) item.reading = item.reading && { ...item.reading, outcome };
  else item.listing = item.listing && { ...item.listing, outcome };
}
