import { isIncluded } from '../analysis/summarise-cohort.js';
import type { CohortSummary } from '../analysis/summary.js';
import type { Config } from '../config/schema.js';
import type {
  PodEntry,
  PublishedEntry,
  ReleaseEntry,
  ResultsDocument,
} from '../documents/results-document.js';
import type { PodResult } from './read/pod-result.js';

export interface RunResults {
  runId: string;
  generatedAt: string;
  /** Null for run-once. */
  requestedBy: string | null;
  cohort: CohortSummary;
  pods: readonly PodResult[];
  /** pod_id to the name of its picture. */
  charts: ReadonlyMap<string, string>;
  published: PublishedEntry[];
  /** Null: callers are sent the exact figures. */
  release: ReleaseEntry | null;
  warnings: string[];
}

export function buildResults(config: Config, run: RunResults): ResultsDocument {
  const { minimum_observations, window_days } = config.analysis;
  return {
    schema_version: 1,
    run_id: run.runId,
    generated_at: run.generatedAt,
    requested_by: run.requestedBy,
    analyser: {
      web_id: config.analyser.web_id,
      app_dir_name: config.analyser.app_dir_name,
      server_url: config.analyser.server_url,
    },
    analysis: { minimum_observations, window_days },
    cohort: run.cohort,
    pods: run.pods.map((pod) => podEntry(pod, minimum_observations)),
    charts: { pods: Object.fromEntries(run.charts) },
    sharing: {
      enabled: config.sharing.enabled,
      published: run.published,
      ...(run.release !== null && { cohort_release: run.release }),
    },
    warnings: run.warnings,
  };
}

function podEntry(pod: PodResult, minimumObservations: number): PodEntry {
  const { owner, summary } = pod;
  return {
    pod_id: owner.podId,
    web_id: owner.webId,
    pod_root: owner.root,
    observation_count: summary.observation_count,
    files_read: pod.filesRead,
    files_skipped: pod.filesSkipped,
    included_in_cohort: isIncluded(summary, minimumObservations),
    first_observation: summary.first_observation,
    last_observation: summary.last_observation,
    measures: summary.measures,
    notes: summary.notes,
  };
}
