import { mapConcurrently } from '../../base/concurrency.js';
import { chunksOf, groupBy, inTurns } from '../../base/lists.js';
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
  /** How many files are read in one go. */
  filesPerPart: number;
}

const uncertain = notRead(
  'uncertain',
  'its server refused it, but perhaps it refuses everything at the moment',
);

/**
 * A refusal ends a share, so it has to be certain. A refused file is read again; a refused folder is asked for again.
 * Before and after the second time, the server must give the profile of the Pod's owner, which everybody may read; the
 * Analyser's own server must also give the Analyser's private document. So a firewall, a rate limit or a rejected login
 * ends no share, and nobody else's files matter. A file that is given the second time counts.
 */
export async function confirmRefusals(
  pods: readonly PodShares[],
  { client, asker, ownDocument, readFiles, filesPerPart }: Confirming,
  { signal, atOnce }: Pick<AskingRules, 'signal' | 'atOnce'>,
): Promise<void> {
  // The first refusal of each Pod comes before the second of any, because time may run out. One certain refusal is
  // enough to end the earlier figures of a Pod.
  const refused = inTurns(pods.map(refusalsOf));
  if (refused.length === 0) return;
  const ask = async ({ root, url }: Witness): Promise<NotRead | null> => {
    const question = { root, isRemembered: true, signal };
    const given = await asker.ask(question, (tries) => client.request(url, { signal, tries }));
    if ('kind' in given) return given;
    const { status } = given.answer;
    return status >= 200 && status < 300 ? null : refusal(status);
  };
  const isGiven = async (witness: Witness) => (await ask(witness)) === null;
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
  const findPodsWithWitness = async (some: readonly Refused[]) => {
    const asked = [...new Set(some.map(({ pod }) => pod))];
    if (asked.length === 0) return new Set<PodShares>();
    if (!(await isOwnGiven())) return new Set<PodShares>();
    const given = await mapConcurrently(asked, atOnce, ({ owner: { root, webId } }) =>
      isGiven({ root, url: webId }),
    );
    return new Set(asked.filter((_, index) => given[index]));
  };
  const askAgain = async (some: readonly Refused[]) => {
    const files = some.flatMap(({ pod, item }) => ('listing' in item ? [] : [{ pod, file: item }]));
    const ofPods = groupBy(files, ({ pod }) => pod);
    const reading = readFiles(
      Array.from(ofPods, ([pod, ofPod]) => ({ pod, files: ofPod.map(({ file }) => file) })),
    );
    const asking = some.map(async ({ pod, item }) => {
      if (!('listing' in item)) return;
      const { root } = pod.owner;
      setOutcome(item, (await ask({ root, url: item.share.url })) ?? uncertain);
    });
    await Promise.all([reading, ...asking]);
  };
  const before = await findPodsWithWitness(refused);
  const doubted = refused.filter(({ pod }) => before.has(pod));
  // Items that are not asked again in time keep this outcome.
  for (const { item } of doubted) setOutcome(item, notAsked);
  await mapConcurrently(chunksOf(doubted, filesPerPart), atOnce, askAgain);
  const after = await findPodsWithWitness(doubted.filter(({ item }) => isRefused(item)));
  for (const { pod, item } of refused) {
    if (isRefused(item) && !after.has(pod)) setOutcome(item, uncertain);
  }
}

interface Witness {
  root: string;
  url: string;
}

interface Refused {
  pod: PodShares;
  item: SharedFile | SharedFolder;
}

/** Remembered files and folders that are refused now; other refusals end nothing. */
function refusalsOf(pod: PodShares): Refused[] {
  const folders = [...pod.folders.values()].filter(({ share }) => share.isRemembered);
  const files = [...pod.files.values()].filter(isRemembered);
  return [...folders, ...files].filter(isRefused).map((item) => ({ pod, item }));
}

function isRefused(item: SharedFile | SharedFolder): boolean {
  const outcome = 'listing' in item ? item.listing?.outcome : item.reading?.outcome;
  return outcome !== undefined && isFor(outcome, 'refused');
}

function setOutcome(item: SharedFile | SharedFolder, outcome: NotRead): void {
  if (!('listing' in item)) item.reading = item.reading && { ...item.reading, outcome };
  else item.listing = item.listing && { ...item.listing, outcome };
}
