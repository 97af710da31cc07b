import { summariseCohort } from '../analysis/summarise-cohort.js';
import type { CohortSummary } from '../analysis/summary.js';
import type { Config } from '../config/schema.js';
import type { PodResult } from './read/pod-result.js';

export interface Summary {
  /** Those of which at least one file could be read. */
  pods: readonly PodResult[];
  cohort: CohortSummary;
}

/** Step 5: the cohort. */
export function summarise(config: Config, all: readonly PodResult[]): Summary {
  const pods = all.filter(({ filesRead }) => filesRead > 0);
  const summaries = pods.map(({ summary }) => summary);
  const cohort = summariseCohort(summaries, config.analysis.minimum_observations);
  return { pods, cohort };
}
