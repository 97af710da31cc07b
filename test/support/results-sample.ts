import type { PodRecord, ResultsDocument } from '../../src/documents/results-document.js';

const measure = (average: number) => ({
  average,
  minimum: average - 10,
  maximum: average + 10,
  standard_deviation: 5.5,
  count: 3,
});

export function samplePod(podId: string): PodRecord {
  const [host = '', name = ''] = podId.split(/-(?=[^-]*$)/);
  return {
    pod_id: podId,
    web_id: `https://${host}/${name}/profile/card#me`,
    pod_root: `https://${host}/${name}/`,
    observation_count: 3,
    files_read: 3,
    files_skipped: 1,
    included_in_cohort: true,
    first_observation: '2026-08-01T07:00:00.000+00:00',
    last_observation: '2026-08-19T07:00:00.000+00:00',
    measures: { systolic: measure(128.25), diastolic: measure(82), heart_rate: measure(66) },
    notes: [],
  };
}

/** A results document of the given Pods; which figures it holds matters to no reader of the disk. */
export function sampleResults(runId: string, podIds: readonly string[]): ResultsDocument {
  const figures = { systolic: 128.25, diastolic: 82, heart_rate: null };
  return {
    schema_version: 1,
    run_id: runId,
    generated_at: '2026-08-19T09:15:00.123+00:00',
    requested_by: null,
    analyser: {
      web_id: 'https://pods.example.org/analyser/profile/card#me',
      app_dir_name: 'app',
      server_url: 'https://pods.example.org',
    },
    analysis: { minimum_observations: 1, window_days: null },
    cohort: {
      pod_count: podIds.length,
      included_pod_count: podIds.length,
      observation_count: podIds.length * 3,
      average_of_averages: figures,
      pooled_average: figures,
      spread_of_averages: figures,
    },
    pods: podIds.map(samplePod),
    charts: { pods: {} },
    sharing: { enabled: false, published: [] },
    warnings: ['https://pods.example.org/x: no key has been shared for this resource'],
  };
}
