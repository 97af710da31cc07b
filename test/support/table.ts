import { byMeasure } from '../../src/analysis/reading.js';
import { addReadingSums } from '../../src/analysis/sums.js';
import type { Memory } from '../../src/memory/memory.js';
import { isFolder, parentFolder } from '../../src/pod/addresses.js';
import { podIdOfRoot } from '../../src/pod/owner.js';
import { type FileRead, type FolderOutcome, type Pod, Row } from '../../src/run/table/row.js';
import type { Standing } from '../../src/run/table/settle.js';

export type GivenRow = Partial<
  Pick<Row, 'keys' | 'foreign' | 'known' | 'hasEntry' | 'isListed' | 'outcome' | 'openTo'>
>;

/** A Pod of the table as gathering leaves it, with rows by address; what is remembered of them is known. */
export function podOf(
  root: string,
  rows: Readonly<Record<string, GivenRow>>,
  memory: Pick<Memory, 'pods'> = { pods: new Map() },
): Pod {
  const known = memory.pods.get(root) ?? null;
  const table = new Map<string, Row>();
  for (const [url, { outcome, openTo, ...given }] of Object.entries(rows)) {
    const folder = isFolder(url) ? null : (table.get(parentFolder(url)) ?? null);
    const row = new Row({ url, folder, known: known?.shares.get(url) ?? null, ...given });
    if (outcome !== undefined) row.answered(outcome, openTo);
    table.set(url, row);
  }
  const owner = {
    root,
    webId: `${root}profile/card#me`,
    podId: podIdOfRoot(root),
    rootIs: 'certain' as const,
  };
  return { owner, digest: digestOf('root', root), known, mayShareMore: false, rows: table };
}

export function rowIn(pod: Pod, url: string): Row {
  const row = pod.rows.get(url);
  if (row === undefined) throw new Error(`The table has no row for ${url}.`);
  return row;
}

/** Not keyed, so that tests can name what they expect. */
export function digestOf(kind: string, value: string | Buffer): string {
  return `${kind} ${typeof value === 'string' ? value : value.toString('base64')}`;
}

const noSums = addReadingSums([]);

/** A file without a reading that counts. */
export const readWith = (key: Buffer | null): FileRead => ({
  kind: 'read',
  key,
  inherits: false,
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
