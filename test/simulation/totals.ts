import type { ResultsDocument } from '../../src/documents/results-document.js';
import type { Memory } from '../../src/memory/memory.js';
import { hasCohortFigures } from './check/documents.js';
import type { Scene } from './check/scene.js';

/** What some histories had: a check that met nothing has checked nothing. */
export const noneYet = {
  analyses: 0,
  requests: 0,
  results: 0,
  figures: 0,
  withdrawals: 0,
  carried: 0,
  withheld: 0,
  released: 0,
  cancelled: 0,
  troubled: 0,
  crashes: 0,
  full: 0,
};
export type Totals = typeof noneYet;

/** `before`: what was remembered before the analysis. */
export function addTo(totals: Totals, scene: Scene, before: Memory | null): Totals {
  const { happened, runs, published, memory } = scene;
  const times = new Set(runs.map(({ generated_at }) => generated_at));
  const fresh = published.filter(({ generatedAt }) => times.has(generatedAt));
  const ended = [...(before?.pods.values() ?? [])].flatMap(({ root, shares }) =>
    [...shares.keys()].filter((url) => memory?.memory.pods.get(root)?.shares.has(url) !== true),
  );
  return sum(totals, {
    analyses: 1,
    requests: happened.requests.length,
    results: fresh.filter(({ kind }) => kind === 'pod-average').length,
    figures: fresh.filter(({ text }) => hasCohortFigures(text)).length,
    withdrawals: ended.length,
    carried: runs[0]?.cohort.carried_pod_count ?? 0,
    withheld: runs[0]?.sharing.cohort_withheld === undefined ? 0 : 1,
    released: runs.filter(isReleasedIn).length,
    cancelled: happened.calls.filter(({ isCancelled }) => isCancelled).length,
    troubled: happened.isTroubled ? 1 : 0,
    crashes: happened.isCrashed ? 1 : 0,
    full: happened.isDiskFull ? 1 : 0,
  });
}

function isReleasedIn({ sharing, generated_at }: ResultsDocument): boolean {
  return sharing.cohort_release?.released_at.systolic === generated_at;
}

export function sum(one: Totals, other: Totals): Totals {
  return {
    analyses: one.analyses + other.analyses,
    requests: one.requests + other.requests,
    results: one.results + other.results,
    figures: one.figures + other.figures,
    withdrawals: one.withdrawals + other.withdrawals,
    carried: one.carried + other.carried,
    withheld: one.withheld + other.withheld,
    released: one.released + other.released,
    cancelled: one.cancelled + other.cancelled,
    troubled: one.troubled + other.troubled,
    crashes: one.crashes + other.crashes,
    full: one.full + other.full,
  };
}
