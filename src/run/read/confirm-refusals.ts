import { mapConcurrently } from '../../base/concurrency.js';
import { chunksOf, groupBy, inTurns } from '../../base/lists.js';
import { isFor, type NotRead, notAsked, notRead } from '../../pod/outcome.js';
import { refusal } from '../../pod/read-resource.js';
import type { SolidClient } from '../../solid/solid-client.js';
import type { PodAsker } from './ask-pod.js';
import type { PodShares } from './pod-shares.js';
import type { AskingRules } from './read-task.js';
import type { FilesPiece } from './server-queue.js';
import { isRemembered, type SharedFile, type SharedFolder } from './shared-file.js';

interface Confirming {
  client: Pick<SolidClient, 'request'>;
  asker: PodAsker;
  /** A private document of the Analyser's own Pod, if this Pod lies on the server; else null. */
  ownDocument: Witness | null;
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
 * Witnesses are private files that the server has given in this analysis. Before and after the second time, the server
 * must give most of them again. So a firewall, a rate limit or a rejected login ends no share. A file that is given the
 * second time counts.
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
  const witnesses = findWitnesses(pods);
  // Silence is no evidence: any owner can cause it. Where no witness answers, the Analyser's own document decides.
  const gives = async () => {
    const isAnswer = (outcome: NotRead | null) => outcome === null || !isFor(outcome, 'silence');
    let answers = (await mapConcurrently(witnesses, atOnce, ask)).filter(isAnswer);
    if (answers.length === 0 && ownDocument !== null) answers = [await ask(ownDocument)];
    return answers.filter((answer) => answer === null).length > answers.length / 2;
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
  if (await gives()) {
    // Items that are not asked again in time keep this outcome.
    for (const { item } of refused) setOutcome(item, notAsked);
    await mapConcurrently(chunksOf(refused, filesPerPart), atOnce, askAgain);
    if (await gives()) return;
  }
  for (const { item } of refused) if (isRefused(item)) setOutcome(item, uncertain);
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

/**
 * If a server does not say who may read, its files are taken as private when at least this number of files was read,
 * from at least this number of Pods.
 */
const FILES_ENOUGH = 3;
const PODS_ENOUGH = 2;

/** A file that the server gives to our login, and the root of its Pod. */
interface Witness {
  root: string;
  url: string;
}

/** Witnesses come from Pods spread over the whole list, so that a few Pods cannot decide for the others. */
const MOST_WITNESSES = 16;

/** Chooses among the read files that are private; if there are none, among the files that are taken as private. */
function findWitnesses(pods: readonly PodShares[]): Witness[] {
  const read = pods.flatMap(({ owner, files }) =>
    [...files.values()].flatMap(({ url, reading }) =>
      reading?.outcome.kind === 'read' ? [{ url, root: owner.root, openTo: reading.openTo }] : [],
    ),
  );
  const certain = read.filter(({ openTo }) => openTo === 'some');
  if (certain.length > 0) return ofPodsApart(certain);
  const unknown = read.filter(({ openTo }) => openTo === 'unknown');
  const isEnough =
    unknown.length >= FILES_ENOUGH && groupBy(unknown, ({ root }) => root).size >= PODS_ENOUGH;
  return isEnough ? ofPodsApart(unknown) : [];
}

function ofPodsApart(files: readonly Witness[]): Witness[] {
  const ofPods = [...groupBy(files, ({ root }) => root).values()].flatMap(([file]) => file ?? []);
  const step = Math.max(1, (ofPods.length - 1) / (MOST_WITNESSES - 1));
  return Array.from(
    { length: MOST_WITNESSES },
    (_, place) => ofPods[Math.round(place * step)],
  ).flatMap((file) => file ?? []);
}
