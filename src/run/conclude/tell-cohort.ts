import {
  type Disclose,
  discloseCohort,
  discloseNothing,
} from '../../analysis/cohort-disclosure.js';
import { byMeasure } from '../../analysis/reading.js';
import type { CohortSummary } from '../../analysis/summarise-cohort.js';
import type { CountedSums } from '../../analysis/sums.js';
import type { Config } from '../../config/schema.js';
import type { ReleaseRecord, WithheldRecord } from '../../documents/results-document.js';

/** What readers are told of the cohort, in every document, picture and reply. */
export interface Told {
  /** False if the configuration sends nobody any. */
  isShared: boolean;
  /** Gives the cohort figures that the owners of some Pods may all see. */
  disclose: Disclose;
  /** For the run documents; null without a configured release. */
  release: ReleaseRecord | null;
  /** Null when figures are sent, or when by the configuration there are none to send. */
  withheld: WithheldRecord | null;
}

interface Known {
  cohort: CohortSummary;
  /** Of the Pods that count, by root. */
  counted: ReadonlyMap<string, CountedSums>;
  /** The figures that stand in for the exact ones; null without a configured release. */
  release: ReleaseRecord | null;
  withheld: WithheldRecord | null;
}

/** Decides once which figures of the cohort leave. */
export function tellCohort(
  { analysis, sharing }: Config,
  { cohort, counted, release, withheld }: Known,
): Told {
  if (!sharing.share_cohort_average) {
    return { isShared: false, disclose: discloseNothing, release: null, withheld: null };
  }
  const shared = { isShared: true, release, withheld: null };
  if (withheld !== null) return withhold({ ...shared, disclose: discloseNothing }, withheld);
  if (release !== null) {
    const { average_of_averages } = release;
    return { ...shared, disclose: (roots) => ({ ...discloseNothing(roots), average_of_averages }) };
  }
  const rules = {
    minimumObservations: analysis.minimum_observations,
    minimumCohortPods: sharing.minimum_cohort_pods,
  };
  return { ...shared, disclose: (roots) => discloseCohort(cohort, counted, roots, rules) };
}

/** The same without a figure. */
export function withhold(told: Told, withheld: WithheldRecord): Told {
  const { isShared, release } = told;
  if (!isShared) return told;
  const none = byMeasure(() => null);
  return {
    isShared,
    disclose: discloseNothing,
    release: release && { average_of_averages: none, released_at: none, withheld: withheld.reason },
    withheld,
  };
}
