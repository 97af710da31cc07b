import { expect, test } from 'vitest';
import { sampleAverage } from '../../test/support/published-sample.js';
import { samplePod } from '../../test/support/results-sample.js';
import { fhirOfResult } from './fhir-observations.js';

test('an average has one decimal, as precise as it was measured', () => {
  const pod = samplePod('pods.example.org-alice');
  pod.measures.systolic.average = 137.41666666666666;
  const result = sampleAverage(pod, '2026-08-19T09:15:00.123+00:00');
  const text = JSON.stringify(fhirOfResult(result, pod.web_id));
  expect(text).toContain('"value":137.4,');
  expect(text).not.toContain('137.41');
});
