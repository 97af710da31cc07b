import { type Figures, figuresOf } from './figures.js';
import { type CohortSummary, type CountedFigures, isIncluded } from './summarise-cohort.js';

export interface DisclosureRules {
  minimumObservations: number;
  /** Figures of a measure that fewer Pods contribute to are sent to nobody. */
  minimumCohortPods: number;
}

export type DisclosedCohort = ReturnType<typeof discloseCohort>;

/**
 * The cohort figures for a document that all of these recipients can open. A figure that rests
 * on a single Pod is that Pod's own average, so it becomes null unless that Pod's owner is the
 * only recipient.
 */
export function discloseCohort(
  cohort: CohortSummary,
  /** Every Pod that counts, by its root. */
  pods: ReadonlyMap<string, CountedFigures>,
  /** The roots of their Pods. */
  recipients: readonly string[],
  { minimumObservations, minimumCohortPods }: DisclosureRules,
) {
  const included = [...pods].filter(([, pod]) => isIncluded(pod, minimumObservations));
  const tellable = figuresOf((name) => {
    const contributing = included.filter(([, pod]) => pod.measures[name].count > 0);
    if (contributing.length < minimumCohortPods) return false;
    return contributing.length > 1 || recipients.every((root) => root === contributing[0]?.[0]);
  });
  const tell = (figures: Figures) => figuresOf((name) => (tellable[name] ? figures[name] : null));
  return {
    pod_count: cohort.pod_count,
    average_of_averages: tell(cohort.average_of_averages),
    pooled_average: tell(cohort.pooled_average),
  };
}
