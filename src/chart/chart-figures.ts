import type { Figures } from '../analysis/figures.js';
import type { MeasureName } from '../analysis/reading.js';
import type { StudyPeriod } from '../base/study-period.js';

/** Null where the reading lacks the measure. */
export type ReadingPoint = { at: number } & Figures;

/** Null if no reading is near; the line has a gap there. */
type Mean = { mean: number; low: number; high: number } | null;
export type MeanPoint = { at: number } & Record<MeasureName, Mean>;

/** The figures that the picture of a Pod draws. */
export type ChartFigures = {
  /**
   * What `at` is: what the clock of the reading showed, in milliseconds since the epoch as if it were UTC, or the number
   * of the reading.
   */
  positions: 'time' | 'order';
  /** Of all readings, those that are not drawn among them. */
  reading_count: number;
  /** Readings without a date, not drawn beside those that have one. */
  undated_count: number;
  /** The first and the last reading of the home average; absent where there is none. */
  home?: { from: number; to: number };
  period?: StudyPeriod;
  /** The dashed lines. */
  own: Figures;
  /** The dotted lines; null where the caller is not told. */
  cohort: Figures;
  /** The points go from left to right. */
} & (
  | { drawn: 'readings'; points: readonly ReadingPoint[] }
  | { drawn: 'rolling_mean'; points: readonly MeanPoint[] }
);
