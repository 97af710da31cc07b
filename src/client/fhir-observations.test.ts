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

test.each([
  [
    'with their offsets, which are true, both ends are instants',
    ['2026-08-19T19:43:08.976-04:00', '2026-08-21T07:00:00.000+05:30'],
    { start: '2026-08-19T19:43:08.976-04:00', end: '2026-08-21T07:00:00.000+05:30' },
  ],
  [
    'where one of them has none, both ends are days',
    ['2026-08-19T19:43:08.976-04:00', '2026-08-21T07:00:00.000'],
    { start: '2026-08-19', end: '2026-08-21' },
  ],
  [
    'across the date line the earlier day comes first',
    // The second is the later one, in an evening that other clocks call the morning after.
    ['2026-08-20T08:00:00.000', '2026-08-19T23:30:00.000-11:00'],
    { start: '2026-08-19', end: '2026-08-20' },
  ],
  [
    'by the clock on the wall, both ends are days',
    ['2026-08-19T09:15:00.000', '2026-08-19T09:15:00.000'],
    { start: '2026-08-19', end: '2026-08-19' },
  ],
])('of the time between readings: %s', (_, [first = null, last = null], period) => {
  const pod = samplePod('pods.example.org-alice');
  const result = sampleAverage(pod, '2026-08-22T09:15:00.123+00:00');
  const ofPod = { ...result.pod, first_observation: first, last_observation: last };
  const [average] = fhirOfResult({ ...result, pod: ofPod }, pod.web_id).entry;
  expect(average?.resource.effectivePeriod).toEqual(period);
});
