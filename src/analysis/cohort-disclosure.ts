import { figuresOf } from './figures.js';
import type { MeasureName } from './reading.js';
import { isIncluded } from './summarise-cohort.js';
import type { CohortSummary, Figures, PodSummary } from './summary.js';

export interface DisclosureRules {
  minimumObservations: number;
  /** Figures of a measure that fewer Pods contribute to are sent to nobody. */
  minimumCohortPods: number;
}

export interface DisclosedCohort {
  pod_count: number;
  average_of_averages: Figures;
  pooled_average: Figures;
}

/**
 * The cohort figures for a document that all of these recipients can open. A figure that rests
 * on a single Pod is that Pod's own average, so it becomes null unless that Pod's owner is the
 * only recipient.
 */
export function discloseCohort(
  cohort: CohortSummary,
  /** Every Pod that was read, by its owner's WebID. */
  pods: ReadonlyMap<string, PodSummary>,
  recipients: readonly string[],
  rules: DisclosureRules,
): DisclosedCohort {
  const tellable = figuresOf((name) =>
    isTellable(contributors(pods, name, rules), recipients, rules),
  );
  const tell = (figures: Figures) => figuresOf((name) => (tellable[name] ? figures[name] : null));
  return {
    pod_count: cohort.pod_count,
    average_of_averages: tell(cohort.average_of_averages),
    pooled_average: tell(cohort.pooled_average),
  };
}

function contributors(
  pods: ReadonlyMap<string, PodSummary>,
  name: MeasureName,
  { minimumObservations }: DisclosureRules,
): string[] {
  return Array.from(pods)
    .filter(([, pod]) => isIncluded(pod, minimumObservations) && pod.measures[name].count > 0)
    .map(([webId]) => webId);
}

function isTellable(
  contributing: string[],
  recipients: readonly string[],
  { minimumCohortPods }: DisclosureRules,
): boolean {
  if (contributing.length < minimumCohortPods) return false;
  return contributing.length > 1 || recipients.every((webId) => webId === contributing[0]);
}
