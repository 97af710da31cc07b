import { countOf } from '../../base/sentences.js';
import type { DigestOf } from '../../memory/digests.js';
import { keyOwners } from '../../memory/key-owners.js';
import type { Memory } from '../../memory/memory.js';
import { DAYS_OF_PATIENCE, type Settlement } from '../../memory/settle.js';
import type { GatheredShares } from '../gather/gather-shares.js';
import type { PodReading } from '../read/read-task.js';

/** Names up to so many; the mode check names all. */
const MOST_NAMED = 10;

export interface Settled {
  settlement: Settlement;
  shares: GatheredShares;
  contributors: readonly PodReading[];
  /** Roots of Pods for whose shares the memory has no room. */
  gaveWay: readonly string[];
}

/** What the operator should know of a settlement, for the run document. */
export function settlementWarnings({
  settlement,
  shares,
  contributors,
  gaveWay,
}: Settled): string[] {
  const { carried, incomplete, letGo } = settlement;
  const webIds = new Map(contributors.map(({ owner }) => [owner.root, owner.webId]));
  const named = (roots: Iterable<string>) =>
    listed(Array.from(roots, (root) => webIds.get(root) ?? root));
  const unannounced = countUnannounced(shares, contributors);
  return [
    about(
      carried.size,
      `${countOf(carried.size, 'Pod')} of which something gave no answer or could not be read counted with figures of an earlier day: ${named(carried.keys())}.`,
    ),
    about(
      incomplete.length,
      `${countOf(incomplete.length, 'Pod')} counted with what could be read alone, as there are no earlier figures that still hold: ${named(incomplete)}.`,
    ),
    about(
      letGo.length,
      `Missing on ${DAYS_OF_PATIENCE} days in succession and not expected any more: ${listed(letGo)}.`,
    ),
    about(
      gaveWay.length,
      `The memory of the Analyser is full: new shares of ${named(gaveWay)} are not remembered and count only while their entries are in the inbox.`,
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
    .filter(({ fate }) => fate.kind === 'read')
    .filter(({ url, listedIn }) => !announced.has(url) && !announced.has(listedIn ?? url)).length;
}

/** Says who has the key of files that do not count, and how the operator settles it. */
export function foreignKeyWarnings(
  contributors: readonly PodReading[],
  memory: Memory,
  digestOf: DigestOf,
): string[] {
  const owners = keyOwners(memory);
  const pairs = new Set<string>();
  for (const { owner, files } of contributors) {
    for (const { fate } of files) {
      if (fate.kind !== 'missing' || fate.key === undefined) continue;
      const others = owners.othersWith(digestOf('key', fate.key), owner.root);
      for (const other of others) pairs.add(`${other} ${owner.root}`);
    }
  }
  return [...pairs]
    .sort()
    .slice(0, MOST_NAMED)
    .map((pair) => {
      const [other = '', root = ''] = pair.split(' ');
      return `Files of ${root} do not count, because their keys were those of ${other} before. Find out whose they are; if they belong to ${root}, run the mode \`forget\` with ${other}`;
    });
}
