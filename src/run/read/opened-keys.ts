import type { LedgerNews } from '../../ledger/share-ledger.js';
import type { PodResult } from './pod-result.js';

export type OpenedKey = LedgerNews['opened'] extends Iterable<infer One> ? One : never;

export interface UndisputedReading {
  results: PodResult[];
  /** Keys that opened files of several Pods, which therefore do not count. */
  disputed: OpenedKey[];
  warnings: string[];
}

/** Every key that opened something, once for each Pod. */
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

export function keyText(key: Buffer): string {
  return key.toString('latin1');
}
