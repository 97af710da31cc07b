import { byMeasure } from '../../src/analysis/reading.js';
import { addReadingSums } from '../../src/analysis/sums.js';
import type { Memory, RememberedPod } from '../../src/memory/memory.js';
import { isFolder, parentFolder } from '../../src/pod/addresses.js';
import { podIdOfRoot } from '../../src/pod/owner.js';
import {
  type FileOutcome,
  type FileRead,
  Folder,
  type FolderOutcome,
  type Pod,
  Row,
} from '../../src/run/table/row.js';
import type { Standing } from '../../src/run/table/settle.js';

/** Of a file, or of a folder. */
export type GivenRow = Partial<
  Pick<Row, 'keys' | 'otherHolders' | 'known' | 'mayHaveEntry' | 'isListed'> &
    Pick<Folder, 'openTo'> & { outcome: FileOutcome | FolderOutcome }
>;

/** A Pod of the table as gathering leaves it, with files and folders by address; what is remembered of them is known. */
export function podOf(
  root: string,
  rows: Readonly<Record<string, GivenRow>>,
  memory: Pick<Memory, 'pods'> = { pods: new Map() },
): Pod {
  const known = memory.pods.get(root) ?? null;
  const table = new Map<string, Row>();
  const folders = new Map<string, Folder>();
  for (const [url, { outcome, openTo, ...given }] of Object.entries(rows)) {
    if (isFolder(url)) {
      const key = known?.folders.get(url);
      const remembered = key === undefined ? null : { key };
      const folder = new Folder({
        ...given,
        url,
        known: given.known ? { key: given.known.ownKey } : remembered,
      });
      if (outcome !== undefined && outcome.kind !== 'read')
        Object.assign(folder, { outcome, openTo: openTo ?? 'unknown' });
      folders.set(url, folder);
    } else {
      const folder = folders.get(parentFolder(url)) ?? null;
      const row = new Row({ url, folder, known: known?.shares.get(url) ?? null, ...given });
      if (outcome !== undefined && outcome.kind !== 'listed') row.outcome = outcome;
      table.set(url, row);
    }
  }
  const owner = {
    root,
    webId: `${root}profile/card#me`,
    podId: podIdOfRoot(root),
    rootIs: 'certain' as const,
  };
  const rootDigest = keyedDigest('root', root);
  return { owner, rootDigest, known, mayShareMore: false, rows: table, folders, unnamed: [] };
}

/** What is remembered of a Pod: files and folders, each with the key that opened it; null for none of its own. */
export function rememberedPod(
  root: string,
  keys: readonly (readonly [url: string, key: Buffer | null])[],
  sums: RememberedPod['sums'] = null,
): RememberedPod {
  const files = keys.filter(([url]) => !isFolder(url));
  return {
    root,
    shares: new Map(files.map(([url, key]) => [url, { url, ownKey: key, missingOn: [] }])),
    folders: new Map(keys.filter(([url]) => isFolder(url))),
    sums,
  };
}

export function rowIn(pod: Pod, url: string): Row {
  const row = pod.rows.get(url);
  if (row === undefined) throw new Error(`The table has no row for ${url}.`);
  return row;
}

/** Not keyed, so that tests can name what they expect. */
export function keyedDigest(kind: string, value: string | Buffer): string {
  return `${kind} ${typeof value === 'string' ? value : value.toString('base64')}`;
}

const noSums = addReadingSums([]);

/** A file without a reading that counts. */
export const readWith = (key: Buffer | null, keyFrom: string | null = null): FileRead => ({
  kind: 'read',
  key,
  keyFrom,
  sums: noSums,
  readings: [],
});

export const listed: FolderOutcome = { kind: 'listed' };

/** Remembered sums without a reading. */
export const someSums = {
  day: 0,
  rules: '',
  observation_count: 0,
  measures: byMeasure(() => ({ sum: 0, count: 0 })),
};

/** Roots of the Pods that stand so. */
export function standing(
  { standings }: { standings: ReadonlyMap<string, Standing> },
  kind: Standing['kind'],
): string[] {
  return [...standings].filter(([, each]) => each.kind === kind).map(([root]) => root);
}
