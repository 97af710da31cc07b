import type { MeasureName } from './reading.js';

/** One number for each measure; null where no reading has the measure. */
export type Figures = Record<MeasureName, number | null>;

export interface MeasureSummary {
  average: number | null;
  minimum: number | null;
  maximum: number | null;
  /** That of a population, not of a sample. */
  standard_deviation: number | null;
  count: number;
}

export interface PodSummary {
  observation_count: number;
  /** ISO 8601 in UTC with an offset; null when no reading has a time. */
  first_observation: string | null;
  last_observation: string | null;
  measures: Record<MeasureName, MeasureSummary>;
  /** Sentences about readings that were left out, and why. */
  notes: string[];
}

export interface CohortSummary {
  /** Every Pod of which at least one shared file could be read. */
  pod_count: number;
  included_pod_count: number;
  /** Readings of the included Pods. */
  observation_count: number;
  average_of_averages: Figures;
  pooled_average: Figures;
  spread_of_averages: Figures;
}
