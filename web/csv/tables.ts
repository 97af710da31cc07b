import type { PodEntry } from '../../src/documents/results-document.js';
import { measures } from '../format/measures.js';
import type { HistoryRun } from '../history/history-entry.js';
import { type Cell, toCsv } from './to-csv.js';

const perMeasure = (names: readonly string[]) =>
  measures.flatMap(({ name }) => names.map((part) => `${name}_${part}`));

const measureParts = ['average', 'minimum', 'maximum', 'standard_deviation', 'count'] as const;

export function podsAsCsv(pods: readonly PodEntry[]): string {
  const header = [
    'pod_id',
    'web_id',
    'included_in_cohort',
    'observation_count',
    'files_read',
    'files_skipped',
    'first_observation',
    'last_observation',
    ...perMeasure(measureParts),
  ];
  return toCsv(
    header,
    pods.map((pod): Cell[] => [
      pod.pod_id,
      pod.web_id,
      pod.included_in_cohort,
      pod.observation_count,
      pod.files_read,
      pod.files_skipped,
      pod.first_observation,
      pod.last_observation,
      ...measures.flatMap(({ name }) => measureParts.map((part) => pod.measures[name][part])),
    ]),
  );
}

const cohortParts = ['average_of_averages', 'pooled_average', 'spread_of_averages'] as const;

/** Runs as they are stored, or one for each analysis. */
export function runsAsCsv(runs: readonly HistoryRun[]): string {
  const header = [
    'run_id',
    'generated_at',
    'pod_count',
    'included_pod_count',
    'observation_count',
    ...perMeasure(cohortParts),
    'warnings',
    'failed_deliveries',
  ];
  return toCsv(
    header,
    runs.map((run): Cell[] => [
      run.runId,
      run.generatedAt,
      run.cohort.pod_count,
      run.cohort.included_pod_count,
      run.cohort.observation_count,
      ...measures.flatMap(({ name }) => cohortParts.map((part) => run.cohort[part][name])),
      run.warnings,
      run.undelivered,
    ]),
  );
}

/** One Pod from analysis to analysis; those that did not read it are left out. */
export function podTrendAsCsv(runs: readonly HistoryRun[]): string {
  return toCsv(
    ['generated_at', 'observation_count', 'included_in_cohort', ...perMeasure(measureParts)],
    runs.flatMap(({ generatedAt, pod }): Cell[][] =>
      pod === null
        ? []
        : [
            [
              generatedAt,
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
