import type { LedgerNews } from '../../ledger/share-ledger.js';
import type { Connection } from '../connection.js';
import type { SharedPod, Shares } from '../discover/shared-files.js';
import type { PodReader, ReadTask } from './pod-reader.js';
import type { PodResult } from './pod-result.js';

type OpenedKey = LedgerNews['opened'] extends Iterable<infer One> ? One : never;

export type UndisputedReading = Awaited<ReturnType<typeof readUndisputed>>;

/**
 * Step 4, with each key valid for one Pod only. When a key opens files of two Pods, one of them has
 * copied it, and nobody can tell which, so both are read again without it. That happens once for
 * each key; from then on the ledger keeps it out.
 */
export async function readUndisputed(
  podReader: PodReader,
  connection: Connection,
  shares: Shares,
  task: ReadTask,
) {
  const results = [...(await podReader.readPods(connection, shares, task))];
  /** Keys that opened files of several Pods; these files do not count. */
  const disputed: OpenedKey[] = [];
  const warnings: string[] = [];
  for (;;) {
    const found = findDisputes(results);
    if (found.length === 0) return { results, disputed, warnings };
    disputed.push(...found);
    const keys = new Set(disputed.map(({ key }) => keyText(key)));
    const roots = new Set(found.map(({ root }) => root));
    const isConcerned = ({ owner }: SharedPod) => roots.has(owner.root);
    const rest = withoutKeys({ ...shares, pods: shares.pods.filter(isConcerned) }, keys);
    const again = await podReader.readPods(connection, rest, { ...task, onPod: undefined });
    const byRoot = new Map(again.map((result) => [result.owner.root, result]));
    for (const [index, result] of results.entries()) {
      results[index] = byRoot.get(result.owner.root) ?? result;
    }
    const listed = [...roots].sort().slice(0, 10).join(', ');
    warnings.push(
      `One key opens files of several Pods: ${listed}. Somebody has copied files of others, and nobody can tell who, ` +
        'so none of the files that it opens count. Find out whose they are; then the mode forget for the other Pod lets those of the owner count again.',
    );
  }
}

function findDisputes(results: readonly PodResult[]): OpenedKey[] {
  const opened = openedKeys(results);
  const counts = new Map<string, number>();
  for (const { key } of opened) counts.set(keyText(key), (counts.get(keyText(key)) ?? 0) + 1);
  return opened.filter(({ key }) => (counts.get(keyText(key)) ?? 0) > 1);
}

function withoutKeys(shares: Shares, keys: ReadonlySet<string>): Shares {
  const others = (of: readonly Buffer[]) => of.filter((key) => !keys.has(keyText(key)));
  return {
    ...shares,
    pods: shares.pods.map((pod) => ({
      ...pod,
      files: pod.files.map((file) => ({ ...file, keys: others(file.keys) })),
    })),
    folderKeys: new Map([...shares.folderKeys].map(([url, of]) => [url, others(of)])),
  };
}

/** Every key that opened a file, once for each Pod. */
export function openedKeys(results: readonly PodResult[]): OpenedKey[] {
  const keys = new Map<string, OpenedKey>();
  for (const { owner, traces } of results) {
    for (const trace of traces) {
      if (trace.outcome !== 'read' || trace.key === null) continue;
      const { key } = trace;
      keys.set(`${keyText(key)}${owner.root}`, { key, root: owner.root });
    }
  }
  return [...keys.values()];
}

function keyText(key: Buffer): string {
  return key.toString('latin1');
}
