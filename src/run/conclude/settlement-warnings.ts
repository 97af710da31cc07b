import { countOf, shellWord } from '../../base/sentences.js';
import { webIdOfRoot } from '../../pod/addresses.js';
import { isFor } from '../../pod/outcome.js';
import type { PodReading } from '../read/pod-reading.js';
import { filesOf, isNamed } from '../table/row.js';
import { DAYS_OF_PATIENCE, type Settlement } from '../table/settle.js';

/** The most names in one warning, and the most warnings about keys. The mode `check` lists all missing shares. */
const MOST_NAMED = 10;

/**
 * Returns the warnings about a settlement, for the run document, whose entry of a Pod says how the Pod counts. `gaveWay`
 * are digests of Pods.
 */
export function settlementWarnings(
  { outdated, letGo }: Settlement,
  contributors: readonly PodReading[],
  gaveWay: ReadonlySet<string>,
): string[] {
  const full = contributors.filter(({ digest }) => gaveWay.has(digest));
  const unnamed = contributors
    .flatMap(filesOf)
    .filter((file) => file.outcome.kind === 'read' && !isNamed(file)).length;
  return [
    about(
      outdated.length,
      `Figures of the cohort are not sent this time: ${countOf(outdated.length, 'Pod')} could not be read in full since the rules of the analysis changed: ${listed(outdated)}.`,
    ),
    about(
      letGo.length,
      `Missing on ${DAYS_OF_PATIENCE} days and not expected any more: ${listedAddresses(letGo)}.`,
    ),
    about(
      full.length,
      `The memory of the Analyser is full: not all shares and keys of ${listed(full.map(({ owner }) => owner.root))} are remembered. A share that is not remembered counts only while its entry is in the inbox.`,
    ),
    about(
      unnamed,
      `Counted ${countOf(unnamed, 'file')} without an entry in the inbox, because the server still lets the Analyser read what was shared. ` +
        'Who takes back a share closes its access as well; anybody can remove entries.',
    ),
  ].flat();
}

function about(count: number, sentence: string): string[] {
  return count === 0 ? [] : [sentence];
}

function listed(roots: readonly string[]): string {
  return listedAddresses(roots.map(webIdOfRoot));
}

function listedAddresses(addresses: readonly string[]): string {
  const more = addresses.length - MOST_NAMED;
  const shown = addresses.toSorted().slice(0, MOST_NAMED).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** Says which Pods have keys of others, and how the operator settles it. */
export function foreignKeyWarnings(contributors: readonly PodReading[]): string[] {
  const rootOf = new Map(contributors.map(({ digest, owner }) => [digest, owner.root]));
  const pairs = new Set<string>();
  for (const pod of contributors) {
    for (const file of filesOf(pod)) {
      if (!isFor(file.outcome, 'foreign key')) continue;
      const others = [...file.foreign, ...(file.folder?.foreign ?? [])];
      for (const other of others) pairs.add(`${rootOf.get(other) ?? UNKNOWN} ${pod.owner.root}`);
    }
  }
  return [...copiedKeys(contributors), ...[...pairs].sort().slice(0, MOST_NAMED).map(explainPair)];
}

/** Stands for a Pod that shares nothing any more: its address is not remembered. */
const UNKNOWN = '-';

function explainPair(pair: string): string {
  const [other = '', root = ''] = pair.split(' ');
  const [whose, from] =
    other === UNKNOWN
      ? ['a Pod that shares nothing any more', '<its WebID>']
      : [other, shellWord(webIdOfRoot(other))];
  return `Files of ${root} do not count, because their keys were those of ${whose} before. Find out whose they are; if their owner has moved to ${root}, run the mode forget: forget ${from} --keys-to ${shellWord(webIdOfRoot(root))}`;
}

function copiedKeys(contributors: readonly PodReading[]): string[] {
  const pods = contributors.filter((pod) =>
    filesOf(pod).some(({ outcome }) => isFor(outcome, 'copied key')),
  );
  return about(
    pods.length,
    `Files of several Pods open with the same key: ${listed(pods.map(({ owner }) => owner.root))}. Somebody has copied files of others, or has moved to a new Pod, and nobody can tell which. ` +
      'So no file that such a key opens counts. Find out whose they are; then the mode forget gives the keys to their owner: forget <WebID of the copies> --keys-to <WebID of the owner>.',
  );
}
