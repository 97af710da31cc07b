import { countOf } from '../../base/sentences.js';
import type { DigestOf } from '../../memory/digests.js';
import { keyOwners } from '../../memory/key-owners.js';
import type { Memory } from '../../memory/memory.js';
import { type AskedPod, DAYS_OF_PATIENCE, type Settlement } from '../../memory/settle.js';
import { webIdOfRoot } from '../../pod/addresses.js';
import type { GatheredShares } from '../gather/gather-shares.js';
import type { PodReading } from '../read/read-task.js';

/** The most names in one warning, and the most warnings about keys. The mode `check` lists all missing shares. */
const MOST_NAMED = 10;

export interface Settled {
  settlement: Settlement;
  shares: GatheredShares;
  contributors: readonly PodReading[];
  /** Roots of Pods for whose shares the memory has no room. */
  gaveWay: readonly string[];
}

/** Returns the warnings about a settlement, for the run document. */
export function settlementWarnings({
  settlement,
  shares,
  contributors,
  gaveWay,
}: Settled): string[] {
  const { carried, notIn, outdated, letGo } = settlement;
  const webIds = new Map(contributors.map(({ owner }) => [owner.root, owner.webId]));
  const named = (roots: Iterable<string>) =>
    listed(Array.from(roots, (root) => webIds.get(root) ?? root));
  const seen = new Set(contributors.filter(({ filesRead }) => filesRead > 0).map(rootOf));
  const waiting = notIn.filter((root) => seen.has(root));
  const unannounced = countUnannounced(shares, contributors);
  return [
    about(
      carried.size,
      `${countOf(carried.size, 'Pod')} of which something gave no answer or could not be read counted with figures of an earlier day: ${named(carried.keys())}.`,
    ),
    about(
      waiting.length,
      `${countOf(waiting.length, 'Pod')} did not count, because not all of what they share could be read and there are no earlier figures that still hold: ${named(waiting)}.`,
    ),
    about(
      outdated.length,
      `Figures of the cohort are not sent this time: ${countOf(outdated.length, 'Pod')} could not be read in full since the rules of the analysis changed: ${named(outdated)}.`,
    ),
    about(
      letGo.length,
      `Missing on ${DAYS_OF_PATIENCE} days in succession and not expected any more: ${listed(letGo)}.`,
    ),
    about(
      gaveWay.length,
      `The memory of the Analyser is full: not all new shares and keys of ${named(gaveWay)} are remembered. A share that is not remembered counts only while its entry is in the inbox.`,
    ),
    about(
      unannounced,
      `Counted ${countOf(unannounced, 'file')} without an entry in the inbox, because the server still lets the Analyser read what was shared. ` +
        'Who takes back a share closes its access as well; anybody can remove entries.',
    ),
  ].flat();
}

function about(count: number, sentence: string): string[] {
  return count === 0 ? [] : [sentence];
}

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  const shown = names.toSorted().slice(0, MOST_NAMED).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

function countUnannounced({ pods }: GatheredShares, contributors: readonly PodReading[]): number {
  const announced = new Set(
    pods.flatMap(({ shares }) =>
      shares.flatMap(({ url, mayHaveEntry }) => (mayHaveEntry ? [url] : [])),
    ),
  );
  return contributors
    .flatMap(({ files }) => files)
    .filter(({ outcome }) => outcome.kind === 'read')
    .filter(({ url, listedIn }) => !announced.has(url) && !announced.has(listedIn ?? url)).length;
}

/** Says who has the key of files that do not count, and how the operator settles it. */
export function foreignKeyWarnings(
  asked: readonly AskedPod[],
  memory: Memory,
  digestOf: DigestOf,
): string[] {
  const owners = keyOwners(memory);
  const rootOfDigest = new Map([
    ...Array.from(memory.pods.keys(), (root): [string, string] => [digestOf('root', root), root]),
    ...asked.map(({ digest, root }): [string, string] => [digest, root]),
  ]);
  const pairs = new Set<string>();
  for (const { root, digest, claims } of asked) {
    for (const [key, claim] of claims) {
      if (claim === 'own') continue;
      for (const other of owners.othersWith(key, digest)) {
        pairs.add(`${rootOfDigest.get(other) ?? UNKNOWN} ${root}`);
      }
    }
  }
  return [...pairs]
    .sort()
    .slice(0, MOST_NAMED)
    .map((pair) => {
      const [other = '', root = ''] = pair.split(' ');
      const to = `--keys-to ${webIdOfRoot(root)}`;
      const [whose, from] =
        other === UNKNOWN
          ? ['a Pod that shares nothing any more', '<its WebID>']
          : [other, webIdOfRoot(other)];
      return `Files of ${root} do not count, because their keys were those of ${whose} before. Find out whose they are; if they belong to ${root}, run the mode forget: forget ${from} ${to}`;
    });
}

/** Stands for a Pod whose address is not known any more. */
const UNKNOWN = '-';

function rootOf({ owner }: PodReading): string {
  return owner.root;
}
