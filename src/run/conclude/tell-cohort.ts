import {
  type Disclose,
  discloseCohort,
  discloseNothing,
} from '../../analysis/cohort-disclosure.js';
import { figuresOf } from '../../analysis/figures.js';
import type { Config } from '../../config/schema.js';
import type { ReleaseRecord } from '../../documents/results-document.js';
import type { Conclusion, Withheld } from './conclude.js';

/** What readers are told of the cohort. */
export interface Told {
  /** Gives the cohort figures that the owners of some Pods may all see. */
  disclose: Disclose;
  /** For the run documents; null without a configured release. */
  release: ReleaseRecord | null;
  /** Null when figures are sent, or when by the configuration there are none to send. */
  withheld: Withheld | null;
}

/**
 * Decides once, for every document, picture and reply, which figures of the cohort leave. `unkept` says why the memory
 * could not be stored: then none does.
 */
export function tellCohort(
  config: Config,
  { cohort, settlement: { counted }, release, withheld }: Conclusion,
  unkept: string | null,
): Told {
  const { analysis, sharing } = config;
  const nothing = discloseNothing(cohort);
  if (!sharing.share_cohort_average) return { disclose: nothing, release: null, withheld: null };
  const why = unkept === null ? withheld : { reason: unkept, untilConfirmed: false };
  if (why !== null) {
    const none = figuresOf(() => null);
    const record = { average_of_averages: none, released_at: none, withheld: why.reason };
    return { disclose: nothing, release: release && record, withheld: why };
  }
  if (release === null) {
    const rules = {
      minimumObservations: analysis.minimum_observations,
      minimumCohortPods: sharing.minimum_cohort_pods,
    };
    const disclose: Disclose = (roots) => discloseCohort(cohort, counted, roots, rules);
    return { disclose, release: null, withheld: null };
  }
  const { average_of_averages } = release;
  const disclose: Disclose = (roots) => ({ ...nothing(roots), average_of_averages });
  return { disclose, release, withheld: null };
}
