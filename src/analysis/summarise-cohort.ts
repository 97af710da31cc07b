import { figuresOf } from './figures.js';
import { aggregateMeasure, summariseMeasure } from './measure-aggregate.js';
import type { MeasureName } from './reading.js';

export type CohortSummary = ReturnType<typeof summariseCohort>;

/** What a Pod adds to the figures of the cohort. */
export interface CountedFigures {
  observation_count: number;
  measures: Record<MeasureName, { average: number | null; count: number }>;
}

/** A Pod without any reading is never included, whatever the minimum. */
export function isIncluded(pod: CountedFigures, minimumObservations: number): boolean {
  return pod.observation_count >= Math.max(1, minimumObservations);
}

/** `pods` are all that count. A Pod without values of a measure is left out of that measure. */
export function summariseCohort(pods: readonly CountedFigures[], minimumObservations: number) {
  const included = pods.filter((pod) => isIncluded(pod, minimumObservations));
  const averages = figuresOf((name) =>
    summariseMeasure(aggregateMeasure(averagesPerPod(included, name))),
  );
  return {
    pod_count: pods.length,
    included_pod_count: included.length,
    observation_count: included.reduce((total, pod) => total + pod.observation_count, 0),
    average_of_averages: figuresOf((name) => averages[name].average),
    pooled_average: figuresOf((name) => pooledAverage(included.map((pod) => pod.measures[name]))),
    spread_of_averages: figuresOf((name) => averages[name].standard_deviation),
  };
}

function averagesPerPod(pods: CountedFigures[], name: MeasureName): number[] {
  return pods.map((pod) => pod.measures[name].average).filter((average) => average !== null);
}

function pooledAverage(measures: CountedFigures['measures'][MeasureName][]): number | null {
  const readings = measures.reduce((total, { count }) => total + count, 0);
  // Sorted, so that the sum is the same whatever the order of the Pods.
  const sums = Float64Array.from(measures, ({ average, count }) => (average ?? 0) * count).sort();
  return readings === 0 ? null : sums.reduce((total, sum) => total + sum, 0) / readings;
}
