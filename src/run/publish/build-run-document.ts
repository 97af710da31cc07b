import { byMeasure } from '../../analysis/reading.js';
import { isIncluded } from '../../analysis/summarise-cohort.js';
import { averageOf, rounded } from '../../analysis/sums.js';
import type { StudyPeriod } from '../../base/study-period.js';
import { formatDay } from '../../base/utc-time.js';
import { WarningList } from '../../base/warning-list.js';
import type { Config } from '../../config/schema.js';
import type {
  PodRecord,
  PublishedRecord,
  ResultsDocument,
} from '../../documents/results-document.js';
import type { Conclusion } from '../conclude/conclude.js';
import { type ConcludedPod, isReported } from '../conclude/concluded-pod.js';
import type { PodReading } from '../read/pod-reading.js';
import type { Gathered } from '../table/gather-shares.js';
import type { Standing } from '../table/settle.js';

export interface AnalysisResults {
  generatedAt: string;
  /** Null when readings of all times count. */
  period: StudyPeriod | null;
  conclusion: Conclusion;
  /** How long step 4 took. */
  readingSeconds: number;
  gathered: Pick<Gathered, 'notInView' | 'whyInboxUnread' | 'excluded'>;
  warnings: readonly string[];
}

interface RunOfCall {
  runId: string;
  /** Null for run-once. */
  requestedBy: string | null;
  /** Only for these Pods does the document hold averages of the latest days. */
  recipients: readonly PodReading[];
  /** File names of the charts by pod_id. */
  charts: ReadonlyMap<string, string>;
  /** What has arrived, by hand-over.ts; empty in the first writing. */
  published: PublishedRecord[];
  warnings: readonly string[];
}

export function buildRunDocument(
  config: Config,
  { conclusion, generatedAt, period, warnings }: AnalysisResults,
  run: RunOfCall,
): ResultsDocument {
  const { minimum_observations, window_days } = config.analysis;
  const { web_id, app_dir_name, server_url } = config.analyser;
  const { told } = conclusion;
  const own = new Set(run.recipients.map(({ owner }) => owner.root));
  const carried = conclusion.contributors.filter(
    ({ standing }) => standing.kind === 'carried',
  ).length;
  return {
    schema_version: 1,
    run_id: run.runId,
    generated_at: generatedAt,
    requested_by: run.requestedBy,
    analyser: { web_id, app_dir_name, server_url },
    analysis: { minimum_observations, window_days, ...(period !== null && { period }) },
    cohort: { ...conclusion.cohort, ...(carried > 0 && { carried_pod_count: carried }) },
    pods: conclusion.contributors.filter(isReported).map((pod) => ({
      ...podRecord(pod, minimum_observations),
      ...(own.has(pod.owner.root) && { home: pod.home, recent: pod.recent }),
    })),
    charts: { pods: Object.fromEntries(run.charts) },
    sharing: {
      enabled: config.sharing.enabled,
      published: run.published,
      ...(told.release !== null && { cohort_release: told.release }),
      ...(config.sharing.enabled && told.withheld !== null && { cohort_withheld: told.withheld }),
    },
    warnings: boundWarnings([...run.warnings, ...warnings]),
  };
}

function podRecord(pod: ConcludedPod, minimumObservations: number): PodRecord {
  const { owner, summary, standing } = pod;
  return {
    pod_id: owner.podId,
    web_id: owner.webId,
    pod_root: owner.root,
    ...summary,
    files_read: pod.filesRead,
    files_skipped: pod.filesSkipped,
    // A carried Pod counts with its earlier sums, even when part of it was read now.
    included_in_cohort: 'sums' in standing && isIncluded(standing.sums, minimumObservations),
    notes: [...summary.notes, ...noteOfStanding(pod)],
    ...(standing.kind === 'carried' && { carried: carriedRecord(standing) }),
  };
}

function noteOfStanding({ standing }: ConcludedPod): string[] {
  const isOut = standing.kind === 'out' || standing.kind === 'outdated';
  if (!isOut) return [];
  return [
    'This Pod is not in the cohort: not all that it shares could be read, and no earlier figures hold.',
  ];
}

function carriedRecord({ sums, day }: Extract<Standing, { kind: 'carried' }>) {
  const { observation_count, measures } = sums;
  return {
    from: formatDay(day),
    observation_count,
    measures: byMeasure((name) => {
      const { count } = measures[name];
      return { average: rounded(averageOf(measures[name])), count };
    }),
  };
}

/** Strangers can cause any number of warnings, and every run document of the analysis repeats them. */
const MOST_BYTES = 20_000;

/** Keeps the first of each kind and counts the others. A different address alone does not make another kind. */
export function boundWarnings(warnings: readonly string[]): string[] {
  const kinds = new WarningList();
  for (const warning of warnings) kinds.add(warning.replace(/^https?:\/\/\S+: /, ''), warning);
  const shown: string[] = [];
  let room = MOST_BYTES;
  const listed = kinds.list();
  for (const warning of listed) {
    room -= Buffer.byteLength(warning);
    if (room < 0) break;
    shown.push(warning);
  }
  const left = listed.length - shown.length;
  return left === 0 ? shown : [...shown, `… and ${left} more warnings of other kinds`];
}
