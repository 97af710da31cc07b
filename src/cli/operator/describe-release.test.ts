import { expect, test } from 'vitest';
import { configSchema } from '../../config/schema.js';
import type { WithheldRecord } from '../../documents/results-document.js';
import { emptyMemory } from '../../memory/memory.js';
import { describeRelease } from './describe-release.js';

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

function told(sharing: object, withheld: WithheldRecord | null): string {
  const analyser = { web_id: 'https://pods.example/analyser/profile/card#me' };
  const config = configSchema.parse({ analyser, sharing });
  return describeRelease(config, withheld, emptyMemory(), new Date(at));
}
