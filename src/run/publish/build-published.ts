import type { DisclosedCohort } from '../../analysis/cohort-disclosure.js';
import { averagesOf } from '../../analysis/figures.js';
import { units } from '../../analysis/reading.js';
import type { PodSummary } from '../../analysis/summary.js';
import type {
  CohortAverageDocument,
  PodAverageDocument,
} from '../../documents/published-document.js';

interface Common {
  generatedAt: string;
  analyserWebId: string;
  cohort: DisclosedCohort;
}

interface OnePod {
  summary: PodSummary;
  filesRead: number;
  filesSkipped: number;
  chart: Buffer | null;
}

export function buildPodAverage(common: Common, pod: OnePod): PodAverageDocument {
  return {
    schema_version: 1,
    kind: 'pod-average',
    generated_at: common.generatedAt,
    analyser_web_id: common.analyserWebId,
    average: averagesOf(pod.summary.measures),
    pod: {
      observation_count: pod.summary.observation_count,
      measures: pod.summary.measures,
      files_read: pod.filesRead,
      files_skipped: pod.filesSkipped,
    },
    cohort: common.cohort,
    units,
    ...(pod.chart === null
      ? {}
      : { chart: { format: 'png', encoding: 'base64', data: pod.chart.toString('base64') } }),
  };
}

export function buildCohortAverage(common: Common): CohortAverageDocument {
  return {
    schema_version: 1,
    kind: 'cohort-average',
    generated_at: common.generatedAt,
    analyser_web_id: common.analyserWebId,
    cohort: common.cohort,
    units,
  };
}
