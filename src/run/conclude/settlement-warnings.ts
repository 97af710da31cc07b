import { countOf, shellWord } from '../../base/sentences.js';
import type { Memory } from '../../memory/memory.js';
import { ROOM_FOR_PODS, roomByPod } from '../../memory/room.js';
import { isFor } from '../../pod/outcome.js';
import type { Owner } from '../../pod/owner.js';
import type { PodReading } from '../read/pod-reading.js';
import { hasNoRoom } from '../table/fate.js';
import { filesOf, isNamed } from '../table/row.js';
import { DAYS_OF_PATIENCE, type Settlement } from '../table/settle.js';
import type { ConcludedPod } from './concluded-pod.js';

/** The most names in one warning, and the most warnings about keys. */
const MOST_NAMED = 10;
const MOST_LARGEST = 3;

/** Warnings about what was settled, for the run documents, whose entry of a Pod says how the Pod counts. */
export function settlementWarnings(
  pods: readonly ConcludedPod[],
  { letGo, crowded, memory }: Pick<Settlement, 'letGo' | 'crowded' | 'memory'>,
): string[] {
  const outdated = pods.filter(({ standing }) => standing.kind === 'outdated');
  const withTooMany = pods.filter(({ rootDigest }) => crowded.has(rootDigest));
  const unnamed = pods.flatMap(filesOf).filter((file) => file.read !== null && !isNamed(file));
  return [
    about(
      outdated.length,
      `Not read in full since the rules of the analysis changed: ${ownersOf(outdated)}.`,
    ),
    about(
      letGo.length,
      `Missing on ${DAYS_OF_PATIENCE} days and not expected any more: ${someOf(letGo)}.`,
    ),
    about(
      withTooMany.length,
      `Too many keys to remember them all: the newest of ${ownersOf(withTooMany)} are not, so nobody notices if somebody copies what they encrypt.`,
    ),
    about(
      unnamed.length,
      `Counted ${countOf(unnamed.length, 'file')} without an entry in the inbox, because the server still lets the Analyser read what was shared. ` +
        'Who takes back a share closes its access as well; anybody can remove entries.',
    ),
    ...roomWarnings(pods, memory),
  ].flat();
}

/** The largest Pods are named, also where a memory is too large in spite of the bounds. */
function roomWarnings(pods: readonly PodReading[], memory: Pick<Memory, 'pods'>): string[] {
  const waiting = pods.filter((pod) => filesOf(pod).some(hasNoRoom));
  const bySize = [...roomByPod(memory)].sort(([, one], [, other]) => other - one);
  const all = bySize.reduce((sum, [, room]) => sum + room, 0);
  if (waiting.length === 0 && all <= ROOM_FOR_PODS) return [];
  const largest = bySize
    .slice(0, MOST_LARGEST)
    .map(([root, room]) => `${root} (${Math.ceil((100 * room) / ROOM_FOR_PODS)} %)`);
  return [
    `The memory has no room for new files of ${countOf(waiting.length, 'Pod')}, which wait: ${ownersOf(waiting)}. ` +
      `Most of it is taken by ${largest.join(', ')}, and one Pod may take a sixth. Who fills it can be left out with data.excluded_pods, and then be forgotten with the mode forget.`,
  ];
}

function about(count: number, sentence: string): string[] {
  return count === 0 ? [] : [sentence];
}

function ownersOf(pods: readonly PodReading[]): string {
  return someOf(pods.map(({ owner }) => owner.webId));
}

function someOf(addresses: readonly string[]): string {
  const more = addresses.length - MOST_NAMED;
  const shown = addresses.toSorted().slice(0, MOST_NAMED).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** Says which Pods have keys of others, and how the operator settles it. */
export function foreignKeyWarnings(pods: readonly PodReading[]): string[] {
  const byDigest = new Map(pods.map((pod) => [pod.rootDigest, pod.owner]));
  const warnings = pods.flatMap((pod) => {
    const files = filesOf(pod).filter(({ outcome }) => isFor(outcome, 'foreign key'));
    // Each once: all files of a folder have the same, and strangers choose how many there are.
    const given = new Set(
      files.flatMap(({ otherHolders, folder }) => [
        otherHolders,
        ...(folder === null ? [] : [folder.otherHolders]),
      ]),
    );
    const others = new Set<Owner | null>();
    for (const digests of given) {
      // A Pod that shares nothing any more is not remembered by its address.
      for (const digest of digests) others.add(byDigest.get(digest) ?? null);
    }
    const warnings = Array.from(others, (other) => explainForeignKeys(pod.owner, other));
    return warnings.sort().slice(0, MOST_NAMED);
  });
  return [...copiedKeys(pods), ...warnings.sort().slice(0, MOST_NAMED)];
}

function explainForeignKeys({ root, webId }: Owner, other: Owner | null): string {
  const whose = other === null ? 'a Pod that shares nothing any more' : other.root;
  const from = other === null ? '<its WebID>' : shellWord(other.webId);
  return `Files of ${root} do not count, because their keys were those of ${whose} before. Find out whose they are; if their owner has moved to ${root}, run the mode forget: forget ${from} --keys-to ${shellWord(webId)}`;
}

function copiedKeys(pods: readonly PodReading[]): string[] {
  const having = pods.filter((pod) =>
    filesOf(pod).some(({ outcome }) => isFor(outcome, 'copied key')),
  );
  return about(
    having.length,
    `Files of several Pods open with the same key: ${ownersOf(having)}. Somebody has copied files of others, or has moved to a new Pod, and nobody can tell which. ` +
      'So no file that such a key opens counts. Find out whose they are; then the mode forget gives the keys to their owner: forget <WebID of the copies> --keys-to <WebID of the owner>.',
  );
}
