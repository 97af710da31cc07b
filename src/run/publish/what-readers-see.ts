import { type DisclosedCohort, discloseCohort } from '../../analysis/cohort-disclosure.js';
import { type Figures, figuresOf } from '../../analysis/figures.js';
import type { CohortSummary } from '../../analysis/summarise-cohort.js';
import type { Config } from '../../config/schema.js';
import type { PodResult } from '../read/pod-result.js';

/** Gives the cohort figures that all of these recipients may see. */
export type CohortDisclosure = (recipients: readonly string[]) => DisclosedCohort;

/** `released` are the figures that everybody gets in place of the exact ones. */
export function cohortDisclosure(
  { analysis, sharing }: Config,
  cohort: CohortSummary,
  pods: readonly PodResult[],
  released: Figures | null,
): CohortDisclosure {
  const nothing = figuresOf(() => null);
  const { pod_count } = cohort;
  if (!sharing.share_cohort_average) {
    return () => ({ pod_count, average_of_averages: nothing, pooled_average: nothing });
  }
  if (released !== null) {
    return () => ({ pod_count, average_of_averages: released, pooled_average: nothing });
  }
  const summaries = new Map(pods.map(({ owner, summary }) => [owner.webId, summary]));
  const rules = {
    minimumObservations: analysis.minimum_observations,
    minimumCohortPods: sharing.minimum_cohort_pods,
  };
  return (recipients) => discloseCohort(cohort, summaries, recipients, rules);
}
