import { expect, test } from 'vitest';
import { samplePod, sampleResults } from '../../test/support/results-sample.js';
import { fhirOfPodEntry } from './fhir-observations.js';

test('an average has one decimal, as precise as it was measured', () => {
  const pod = samplePod('pods.example.org-alice');
  pod.measures.systolic.average = 137.41666666666666;
  const results = sampleResults('20260819T091500Z', []);
  const text = JSON.stringify(fhirOfPodEntry(pod, results));
  expect(text).toContain('"value":137.4,');
  expect(text).not.toContain('137.41');
});
