import type { Figures } from '../api/guards.js';
import type { MeasureInfo } from '../format/measures.js';
import type { HistoryRun } from '../history/history-entry.js';

/** One analysis in a trend. */
export interface TrendPoint {
  runId: string;
  generatedAt: string;
  time: number;
  value: number;
  /** How far the band reaches to either side. */
  spread: number;
  /** What it is compared with: the cohort, for a Pod. */
  beside: number | null;
}

export type PointsOf = (runs: readonly HistoryRun[], measure: MeasureInfo['name']) => TrendPoint[];

/** The average of averages, with the spread between Pods. */
export const cohortPoints: PointsOf = (runs, measure) =>
  runs.flatMap((run) =>
    pointsAt(run, run.cohort.average_of_averages[measure], run.cohort.spread_of_averages[measure]),
  );

/** The Pod's own average, with its standard deviation, beside the cohort's. */
export const podPoints: PointsOf = (runs, measure) =>
  runs.flatMap((run) => {
    const own = run.pod?.measures[measure];
    const cohort: Figures = run.cohort.average_of_averages;
    return pointsAt(run, own?.average ?? null, own?.standard_deviation ?? null, cohort[measure]);
  });

function pointsAt(
  { runId, generatedAt }: HistoryRun,
  value: number | null,
  spread: number | null,
  beside: number | null = null,
): TrendPoint[] {
  if (value === null) return [];
  const time = Date.parse(generatedAt);
  return [{ runId, generatedAt, time, value, spread: spread ?? 0, beside }];
}
