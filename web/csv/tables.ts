import type { PodEntry, ResultsDocument } from '../../src/documents/results-document.js';
import type { Analysis } from '../api/guards.js';
import type { AtAnalysis } from '../charts/trend-points.js';
import { measures } from '../format/measures.js';
import { failedDeliveriesOf, warningsOf } from '../history/counts-of-runs.js';
import type { PodsNews } from '../pods/comings.js';
import { type Cell, toCsv } from './to-csv.js';

const perMeasure = (names: readonly string[]) =>
  measures.flatMap(({ name }) => names.map((part) => `${name}_${part}`));

const measureParts = ['average', 'minimum', 'maximum', 'standard_deviation', 'count'] as const;

const latestNames = ['home', 'recent'] as const;
const latestParts = ['from', 'to', 'days', 'readings'] as const;

/** The Pods of a run, each with the run that says so. */
export function podsAsCsv(
  { run_id, generated_at }: Pick<ResultsDocument, 'run_id' | 'generated_at'>,
  pods: readonly PodEntry[],
): string {
  const header = [
    'run_id',
    'generated_at',
    'pod_id',
    'web_id',
    'included_in_cohort',
    'observation_count',
    'files_read',
    'files_skipped',
    'first_observation',
    'last_observation',
    ...perMeasure(measureParts),
    'carried_from',
    ...latestNames.flatMap((latest) => [
      ...measures.map(({ name }) => `${latest}_${name}_average`),
      ...latestParts.map((part) => `${latest}_${part}`),
    ]),
  ];
  return toCsv(
    header,
    pods.map((pod): Cell[] => [
      run_id,
      generated_at,
      pod.pod_id,
      pod.web_id,
      pod.included_in_cohort,
      pod.observation_count,
      pod.files_read,
      pod.files_skipped,
      pod.first_observation,
      pod.last_observation,
      ...measures.flatMap(({ name }) => measureParts.map((part) => pod.measures[name][part])),
      pod.carried?.from ?? null,
      ...latestNames.flatMap((latest) => [
        ...measures.map(({ name }) => pod[latest]?.average[name] ?? null),
        ...latestParts.map((part) => pod[latest]?.[part] ?? null),
      ]),
    ]),
  );
}

/** Every Pod that stored analyses know of; a time is blank where it was before the oldest of them. */
export function comingsAsCsv({ pods, left }: PodsNews): string {
  return toCsv(
    ['pod_id', 'first_seen', 'last_change', 'left_at'],
    [
      ...pods.map((pod): Cell[] => [pod.pod_id, pod.first_seen, pod.last_change, null]),
      ...left.map(({ pod_id, left_at }): Cell[] => [pod_id, null, left_at, left_at]),
    ],
  );
}

const cohortParts = ['average_of_averages', 'pooled_average', 'spread_of_averages'] as const;

export function analysesAsCsv(analyses: readonly Analysis[]): string {
  const header = [
    'run_id',
    'generated_at',
    'pod_count',
    'included_pod_count',
    'observation_count',
    ...perMeasure(cohortParts),
    'warnings',
    'failed_deliveries',
    'joined',
    'left',
    'changed',
  ];
  return toCsv(
    header,
    analyses.map((analysis): Cell[] => {
      const { cohort, runs, joined, left, changed } = analysis;
      return [
        runs[0]?.run_id ?? null,
        analysis.generated_at,
        cohort.pod_count,
        cohort.included_pod_count,
        cohort.observation_count,
        ...measures.flatMap(({ name }) => cohortParts.map((part) => cohort[part][name])),
        warningsOf(analysis),
        failedDeliveriesOf(analysis),
        joined.join(' '),
        left.join(' '),
        changed.join(' '),
      ];
    }),
  );
}

/** One Pod from analysis to analysis; those that did not read it are left out. */
export function podTrendAsCsv(analyses: readonly AtAnalysis[]): string {
  return toCsv(
    ['generated_at', 'observation_count', 'included_in_cohort', ...perMeasure(measureParts)],
    analyses.flatMap(({ generated_at, pod = null }): Cell[][] =>
      pod === null
        ? []
        : [
            [
              generated_at,
              pod.observation_count,
              pod.included_in_cohort,
              ...measures.flatMap(({ name }) =>
                measureParts.map((part) => pod.measures[name][part]),
              ),
            ],
          ],
    ),
  );
}
