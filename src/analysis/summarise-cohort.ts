import { figuresOf } from './figures.js';
import { averageOf, rounded, type SumAndCount } from './measure-sums.js';
import type { PodAggregate } from './pod-aggregate.js';
import type { MeasureName } from './reading.js';

export type CohortSummary = ReturnType<typeof summariseCohort>;

/** The figures of one Pod that go into the figures of the cohort. */
export interface CountedFigures {
  observation_count: number;
  measures: Record<MeasureName, SumAndCount>;
}

export function countedFigures({ counted, measures }: PodAggregate): CountedFigures {
  return {
    observation_count: counted,
    measures: figuresOf((name) => {
      const { sum = 0, count = 0 } = measures[name] ?? {};
      return { sum, count };
    }),
  };
}

/** A Pod without any reading is never included, even if the minimum is 0. */
export function isIncluded(
  pod: Pick<CountedFigures, 'observation_count'>,
  minimumObservations: number,
): boolean {
  return pod.observation_count >= Math.max(1, minimumObservations);
}

/**
 * `counted` holds the figures of the Pods that count. `podCount` also includes Pods of which a file was read but that
 * do not count. A Pod without values of a measure is left out of that measure.
 */
export function summariseCohort(
  counted: readonly CountedFigures[],
  minimumObservations: number,
  podCount = counted.length,
) {
  const included = counted.filter((pod) => isIncluded(pod, minimumObservations));
  const averages = figuresOf((name) =>
    included.flatMap(({ measures }) => averageOf(measures[name]) ?? []),
  );
  return {
    pod_count: podCount,
    included_pod_count: included.length,
    observation_count: total(included.map(({ observation_count }) => observation_count)),
    average_of_averages: figuresOf((name) => rounded(meanOf(averages[name]))),
    pooled_average: figuresOf((name) => {
      const sums = included.map(({ measures }) => measures[name]);
      const pooled = {
        sum: total(sums.map(({ sum }) => sum)),
        count: total(sums.map(({ count }) => count)),
      };
      return rounded(averageOf(pooled));
    }),
    spread_of_averages: figuresOf((name) => {
      const mean = meanOf(averages[name]);
      if (mean === null) return null;
      return rounded(Math.sqrt(meanOf(averages[name].map((value) => (value - mean) ** 2)) ?? 0));
    }),
  };
}

/** The values are added in order of size, so that the order of the Pods cannot change the result. */
function meanOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return total(values.toSorted((one, other) => one - other)) / values.length;
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
