import type { Reading } from '../analysis/reading.js';
import type { Figures } from '../analysis/summary.js';

export interface ChartInput {
  /** In any order; readings without a time are drawn in the order given. */
  readings: Reading[];
  own: Figures;
  /** Null figures have no line; null altogether when the cohort is not shared. */
  cohort: Figures | null;
}
