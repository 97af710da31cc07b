import { mapConcurrently } from '../../base/concurrency.js';
import { groupBy, inTurns } from '../../base/lists.js';
import { isFor, type NotRead, notRead } from '../../pod/outcome.js';
import { refusal } from '../../pod/read-resource.js';
import type { SolidClient } from '../../solid/solid-client.js';
import type { PodAsker } from './ask-pod.js';
import type { PodShares } from './pod-shares.js';
import type { AskingRules } from './read-task.js';
import { isRemembered, outcomeOf, type SharedFile, type SharedFolder } from './shared-file.js';

interface Confirming {
  client: Pick<SolidClient, 'request'>;
  asker: PodAsker;
  /** A private document of the Analyser's own on this server; null on any other server. */
  ownDocument: Witness | null;
}

const uncertain = notRead(
  'uncertain',
  'its server refused it, but perhaps it refuses everything at the moment',
);

/**
 * A refusal ends a share, so it has to be certain. The server is asked again, and must refuse again. Before and after
 * the second request, the server must give most of the witnesses, which are private files. So a firewall, a rate limit
 * or a rejected login ends no share.
 */
export async function confirmRefusals(
  pods: readonly PodShares[],
  { client, asker, ownDocument }: Confirming,
  { signal, atOnce }: Pick<AskingRules, 'signal' | 'atOnce'>,
): Promise<void> {
  // One refusal of each Pod comes first: one certain refusal is enough to keep the Pod from being carried.
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
  const answers = new Map<Refused, NotRead | null>();
  if (await gives()) {
    await mapConcurrently(refused, atOnce, async (one) => {
      answers.set(one, await ask(one));
    });
  }
  const gaveBeforeAndAfter = answers.size > 0 && (await gives());
  for (const one of refused) {
    const again = answers.get(one) ?? null;
    const isTimeUp = again !== null && isFor(again, 'not asked');
    const isCertain = gaveBeforeAndAfter && again !== null && isFor(again, 'refused');
    if (!isCertain) one.setOutcome(isTimeUp ? again : uncertain);
  }
}

interface Refused extends Witness {
  setOutcome: (outcome: NotRead) => void;
}

/** Remembered files and folders that are refused now; other refusals end nothing. */
function refusalsOf({ owner: { root }, files, folders }: PodShares): Refused[] {
  const isRefused = (file: SharedFile) => {
    const outcome = outcomeOf(file);
    return outcome !== null && isFor(outcome, 'refused') && isRemembered(file);
  };
  const ofFiles = [...files.values()].filter(isRefused).map((file) => ({
    root,
    url: file.url,
    setOutcome(outcome: NotRead) {
      if (file.reading !== null) file.reading = { ...file.reading, outcome };
    },
  }));
  const isShut = ({ share, listing }: SharedFolder) =>
    share.isRemembered && listing !== null && isFor(listing.outcome, 'refused');
  const ofFolders = [...folders.values()].filter(isShut).map((folder) => ({
    root,
    url: folder.share.url,
    setOutcome(outcome: NotRead) {
      if (folder.listing !== null) folder.listing = { ...folder.listing, outcome };
    },
  }));
  return [...ofFolders, ...ofFiles];
}

/** On a server that does not say who may read, so many files of so many Pods are taken as private. */
const FILES_ENOUGH = 3;
const PODS_ENOUGH = 2;

/** A file that the server gives to our login, and the root of its Pod. */
interface Witness {
  root: string;
  url: string;
}

/** Witnesses come from Pods spread over the whole list, so that a few Pods cannot decide for the others. */
const MOST_WITNESSES = 16;

/** Returns no witness where all files that were read may be open to everybody. */
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
