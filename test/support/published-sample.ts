import type { PodAverageDocument } from '../../src/documents/published-document.js';
import type { PodRecord } from '../../src/documents/results-document.js';

/** What the owner of a Pod gets, with the figures of its entry. */
export function sampleAverage(pod: PodRecord, generatedAt: string): PodAverageDocument {
  const { pod_id: _id, web_id: _person, pod_root: _root, included_in_cohort: _, ...own } = pod;
  const { systolic, diastolic, heart_rate } = pod.measures;
  const average = {
    systolic: systolic.average,
    diastolic: diastolic.average,
    heart_rate: heart_rate.average,
  };
  return {
    schema_version: 1,
    kind: 'pod-average',
    generated_at: generatedAt,
    analyser_web_id: 'https://pods.example.org/analyser/profile/card#me',
    average,
    pod: own,
    cohort: { pod_count: 5, average_of_averages: average, pooled_average: average },
    units: { systolic: 'mm Hg', diastolic: 'mm Hg', heart_rate: 'bpm' },
  };
}
