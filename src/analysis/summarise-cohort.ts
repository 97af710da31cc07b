import { figuresOf } from './figures.js';
import { aggregateMeasure, type MeasureSummary, summariseMeasure } from './measure-aggregate.js';
import type { MeasureName } from './reading.js';
import type { PodSummary } from './summarise-pod.js';

export type CohortSummary = ReturnType<typeof summariseCohort>;

/** A Pod without any reading is never included, whatever the minimum. */
export function isIncluded(pod: PodSummary, minimumObservations: number): boolean {
  return pod.observation_count >= Math.max(1, minimumObservations);
}

/** `pods` are all that were read. A Pod without values of a measure is left out of that measure. */
export function summariseCohort(pods: readonly PodSummary[], minimumObservations: number) {
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

function averagesPerPod(pods: PodSummary[], name: MeasureName): number[] {
  return pods.map((pod) => pod.measures[name].average).filter((average) => average !== null);
}

function pooledAverage(measures: MeasureSummary[]): number | null {
  const readings = measures.reduce((total, { count }) => total + count, 0);
  // Sorted, so that the sum is the same whatever the order of the Pods.
  const sums = Float64Array.from(measures, ({ average, count }) => (average ?? 0) * count).sort();
  return readings === 0 ? null : sums.reduce((total, sum) => total + sum, 0) / readings;
}
