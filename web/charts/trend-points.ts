import type { Analysis, Figures } from '../api/guards.js';
import type { MeasureInfo } from '../format/measures.js';

export type AtAnalysis = Pick<Analysis, 'generated_at' | 'cohort' | 'pod'>;

/** One analysis in a trend. */
export interface TrendPoint {
  generatedAt: string;
  time: number;
  value: number;
  /** How far the band reaches to either side. */
  spread: number;
  /** What it is compared with: the cohort, for a Pod. */
  beside: number | null;
}

export type PointsOf = (
  analyses: readonly AtAnalysis[],
  measure: MeasureInfo['name'],
) => TrendPoint[];

/** The average of averages, with the spread between Pods. */
export const cohortPoints: PointsOf = (analyses, measure) =>
  analyses.flatMap((analysis) => {
    const { average_of_averages, spread_of_averages } = analysis.cohort;
    return pointsAt(analysis, average_of_averages[measure], spread_of_averages[measure]);
  });

/** The Pod's own average, with its standard deviation, beside the cohort's. */
export const podPoints: PointsOf = (analyses, measure) =>
  analyses.flatMap((analysis) => {
    const own = analysis.pod?.measures[measure];
    const cohort: Figures = analysis.cohort.average_of_averages;
    return pointsAt(
      analysis,
      own?.average ?? null,
      own?.standard_deviation ?? null,
      cohort[measure],
    );
  });

function pointsAt(
  { generated_at: generatedAt }: AtAnalysis,
  value: number | null,
  spread: number | null,
  beside: number | null = null,
): TrendPoint[] {
  if (value === null) return [];
  const time = Date.parse(generatedAt);
  return [{ generatedAt, time, value, spread: spread ?? 0, beside }];
}
