import { present, sum } from '../base/lists.js';
import { byMeasure, type MeasureName } from './reading.js';
import { averageOf, type CountedSums, rounded } from './sums.js';

export type CohortSummary = ReturnType<typeof summariseCohort>;

export function isIncluded(
  { observation_count }: Pick<CountedSums, 'observation_count'>,
  minimumObservations: number,
): boolean {
  return observation_count >= minimumObservations;
}

/** The averages behind each figure. A Pod without values of a measure is left out of that measure. */
export function averagesBehind(included: readonly CountedSums[]): Record<MeasureName, number[]> {
  return byMeasure((name) => present(included.map(({ measures }) => averageOf(measures[name]))));
}

/** `counted` holds the sums of the Pods that count; `podCount` includes Pods that were read and do not count. */
export function summariseCohort(
  counted: readonly CountedSums[],
  minimumObservations: number,
  podCount = counted.length,
) {
  const included = counted.filter((pod) => isIncluded(pod, minimumObservations));
  const averages = averagesBehind(included);
  return {
    pod_count: podCount,
    included_pod_count: included.length,
    observation_count: sum(included.map(({ observation_count }) => observation_count)),
    average_of_averages: byMeasure((name) => rounded(meanOf(averages[name]))),
    pooled_average: byMeasure((name) => {
      const sums = included.map(({ measures }) => measures[name]);
      const pooled = {
        sum: sum(sums.map((one) => one.sum)),
        count: sum(sums.map(({ count }) => count)),
      };
      return rounded(averageOf(pooled));
    }),
    spread_of_averages: byMeasure((name) => {
      const mean = meanOf(averages[name]);
      if (mean === null) return null;
      return rounded(Math.sqrt(meanOf(averages[name].map((value) => (value - mean) ** 2)) ?? 0));
    }),
  };
}

/** The values are added in order of size, so that the order of the Pods cannot change the result. */
function meanOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return sum(values.toSorted((one, other) => one - other)) / values.length;
}
