import { type DisclosedCohort, discloseCohort } from '../../analysis/cohort-disclosure.js';
import { type Figures, figuresOf } from '../../analysis/figures.js';
import type { CohortSummary, CountedFigures } from '../../analysis/summarise-cohort.js';
import type { Config } from '../../config/schema.js';

/** Gives the cohort figures that the owners of all of these Pods may see, named by their roots. */
export type CohortDisclosure = (roots: readonly string[]) => DisclosedCohort;

/** `released` are the figures that everybody gets in place of the exact ones. */
export function cohortDisclosure(
  { analysis, sharing }: Config,
  cohort: CohortSummary,
  counted: ReadonlyMap<string, CountedFigures>,
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
  const rules = {
    minimumObservations: analysis.minimum_observations,
    minimumCohortPods: sharing.minimum_cohort_pods,
  };
  return (roots) => discloseCohort(cohort, counted, roots, rules);
}
