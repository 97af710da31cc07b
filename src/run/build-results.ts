import { type CohortSummary, isIncluded } from '../analysis/summarise-cohort.js';
import type { Config } from '../config/schema.js';
import type {
  PodEntry,
  PublishedEntry,
  ReleaseEntry,
  ResultsDocument,
} from '../documents/results-document.js';
import type { Shares } from './discover/shared-files.js';
import type { PodResult } from './read/pod-result.js';

/** What the run documents of one analysis have in common. */
export interface AnalysisResults {
  generatedAt: string;
  cohort: CohortSummary;
  /** Every Pod that shared something, even if nothing of it could be read. */
  pods: readonly PodResult[];
  /** The Pods of which something could be read. */
  read: readonly PodResult[];
  shares: Pick<Shares, 'notWanted' | 'folderKeys' | 'unlistedFolders' | 'displacedPods'>;
  /** How many Pods may lack files because their servers gave no answer. */
  unansweredPods: number;
  /** Null when callers are sent the exact figures. */
  release: ReleaseEntry | null;
  warnings: readonly string[];
}

interface OneRun {
  runId: string;
  /** Null for run-once. */
  webId: string | null;
  /** File names of the charts by pod_id. */
  charts: ReadonlyMap<string, string>;
  published: PublishedEntry[];
  warnings: string[];
}

export function buildResults(
  config: Config,
  results: AnalysisResults,
  run: OneRun,
): ResultsDocument {
  const { minimum_observations, window_days } = config.analysis;
  const { web_id, app_dir_name, server_url } = config.analyser;
  return {
    schema_version: 1,
    run_id: run.runId,
    generated_at: results.generatedAt,
    requested_by: run.webId,
    analyser: { web_id, app_dir_name, server_url },
    analysis: { minimum_observations, window_days },
    cohort: results.cohort,
    pods: results.read.map((pod) => podEntry(pod, minimum_observations)),
    charts: { pods: Object.fromEntries(run.charts) },
    sharing: {
      enabled: config.sharing.enabled,
      published: run.published,
      ...(results.release !== null && { cohort_release: results.release }),
    },
    warnings: [...results.warnings, ...run.warnings],
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
