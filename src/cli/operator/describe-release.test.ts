import { expect, test } from 'vitest';
import { samplePod, sampleResults } from '../../../test/support/results-sample.js';
import { configSchema } from '../../config/schema.js';
import type { WithheldRecord } from '../../documents/results-document.js';
import { emptyMemory } from '../../memory/memory.js';
import { describeLastSent, describeRelease } from './describe-release.js';

const at = Date.UTC(2026, 10, 1);
const noise = { cohort_release: { epsilon: 1, every_days: 7, budget: 3 } };

test.each([
  [{}, 'the exact figures of the cohort, because sharing.cohort_release is not set.'],
  [
    { ...noise, share_cohort_average: false },
    'no figures of the cohort, because sharing.share_cohort_average is false.',
  ],
  [{ enabled: false }, 'nothing, because sharing.enabled is false.'],
  [
    noise,
    'figures of the cohort with noise (epsilon 1) every 7 days, none so far; the budget of 3 in 365 days is not used up.',
  ],
])('with %j release says in one sentence what holds', (sharing, sentence) => {
  expect(told(sharing, null)).toBe(`Callers are sent ${sentence}`);
});

test('of figures that are withheld it says what a run says', () => {
  const withheld = { reason: 'the memory is gone', until_confirmed: false };
  expect(told({}, withheld)).toBe('Cohort figures are withheld: the memory is gone.');
});

test('the figures of the last analysis are those that its callers see', () => {
  const analysis = sampleResults('20260819T091500Z', ['pods.example.org-a', 'pods.example.org-b']);
  const own = {
    kind: 'pod-average' as const,
    pod_id: 'a',
    resource_url: '',
    recipients: ['a'],
    failures: {},
  };
  const sentTo = (published: [] | [typeof own], more = {}) => ({
    ...analysis,
    sharing: { enabled: true, published, ...more },
  });
  const lastSent = (sharing: object, document = sentTo([own])) =>
    describeLastSent(configOf(sharing), document);
  const [start, at] = ['Sent by the analysis of ', analysis.generated_at];
  expect(lastSent({})).toBe(`${start}${at}: systolic 128.3, diastolic 82.0, heart rate –.`);
  // Below the smallest cohort, with a Pod that does not count, and of one Pod.
  const none = `${start}${at}: systolic –, diastolic –, heart rate –.`;
  expect(lastSent({ minimum_cohort_pods: 3 })).toBe(none);
  const [first = samplePod('pods.example.org-a'), ...others] = analysis.pods;
  const alone = [{ ...first, included_in_cohort: false }, ...others];
  expect(lastSent({}, { ...sentTo([own]), pods: alone })).toBe(none);
  // With noise, what was released.
  const released = { systolic: 80, diastolic: null, heart_rate: null };
  const releasedAt = { systolic: at, diastolic: null, heart_rate: null };
  const noise = { ...released, systolic: 120 };
  const cohort_release = {
    average_of_averages: released,
    released_at: releasedAt,
    noise,
    withheld: null,
  };
  expect(lastSent({}, sentTo([own], { cohort_release }))).toBe(
    `${start}${at}: systolic 80.0 ± 120, diastolic –, heart rate –.`,
  );
  expect(lastSent({}, sentTo([]))).toBeNull();
  expect(lastSent({ share_cohort_average: false })).toBeNull();
});

function configOf(sharing: object) {
  const analyser = { web_id: 'https://pods.example/analyser/profile/card#me' };
  return configSchema.parse({ analyser, sharing });
}

function told(sharing: object, withheld: WithheldRecord | null): string {
  return describeRelease(configOf(sharing), withheld, emptyMemory(), new Date(at));
}
