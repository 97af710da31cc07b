import { byMeasure, type Figures } from './reading.js';
import { type CohortSummary, isIncluded } from './summarise-cohort.js';
import type { CountedSums } from './sums.js';

export interface DisclosureRules {
  minimumObservations: number;
  /** If fewer Pods than this have values of a measure, nobody is sent the cohort figures of that measure. */
  minimumCohortPods: number;
}

export interface DisclosedFigures {
  average_of_averages: Figures;
  pooled_average: Figures;
}

/** Gives the cohort figures that the owners of these Pods, by root, may all see. */
export type Disclose = (roots: readonly string[]) => DisclosedFigures;

const none = byMeasure(() => null);
export const discloseNothing: Disclose = () => ({
  average_of_averages: none,
  pooled_average: none,
});

/**
 * The two cohort averages are two equations about the averages of the Pods. A recipient can solve them if fewer Pods
 * than this are behind them, besides the recipient's own.
 */
const OTHERS_BEHIND_POOLED = 3;

/**
 * The cohort figures for a document that all of these recipients can open. A figure that rests on a single Pod is the
 * average of that Pod, so it becomes null, unless the owner of that Pod is the only recipient. Nobody may see any.
 */
export function discloseCohort(
  cohort: CohortSummary,
  /** Every Pod that counts, by its root. */
  pods: ReadonlyMap<string, CountedSums>,
  recipients: readonly string[],
  { minimumObservations, minimumCohortPods }: DisclosureRules,
): DisclosedFigures {
  if (recipients.length === 0) return discloseNothing(recipients);
  const included = [...pods].filter(([, pod]) => isIncluded(pod, minimumObservations));
  const behind = byMeasure((name) =>
    included.filter(([, pod]) => pod.measures[name].count > 0).map(([root]) => root),
  );
  const mayTell = byMeasure((name) => {
    if (behind[name].length < minimumCohortPods) return false;
    return behind[name].length > 1 || recipients.every((root) => root === behind[name][0]);
  });
  const hasOthers = (roots: ReadonlySet<string>) =>
    recipients.every((own) => roots.size - Number(roots.has(own)) >= OTHERS_BEHIND_POOLED);
  const { average_of_averages: averages, pooled_average: pooled } = cohort;
  return {
    average_of_averages: byMeasure((name) => (mayTell[name] ? averages[name] : null)),
    pooled_average: byMeasure((name) =>
      mayTell[name] && hasOthers(new Set(behind[name])) ? pooled[name] : null,
    ),
  };
}
