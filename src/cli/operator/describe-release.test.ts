import { expect, test } from 'vitest';
import { configSchema } from '../../config/schema.js';
import { emptyMemory } from '../../memory/memory.js';
import { describeRelease } from './describe-release.js';

const none = emptyMemory();
const at = Date.UTC(2026, 10, 1);
const noise = { cohort_release: { epsilon: 1, every_days: 7, budget: 3 } };

test.each([
  [{}, none, 'the exact figures of the cohort, because sharing.cohort_release is not set.'],
  [
    { ...noise, share_cohort_average: false },
    none,
    'no figures of the cohort, because sharing.share_cohort_average is false.',
  ],
  [{ enabled: false }, none, 'nothing, because sharing.enabled is false.'],
  [
    noise,
    none,
    'figures of the cohort with noise (epsilon 1) every 7 days, none so far; the budget of 3 in 365 days is not used up.',
  ],
  [
    noise,
    { ...none, withheld: 'the memory is gone.' },
    'no figures of the cohort, because the memory is gone: find out why, then run this',
  ],
])('with %j and %o release says in one sentence what holds', (sharing, memory, sentence) => {
  const analyser = { web_id: 'https://pods.example/analyser/profile/card#me' };
  const config = configSchema.parse({ analyser, sharing });
  const said = describeRelease(config, memory, new Date(at), 'this');
  expect(said).toBe(`Callers are sent ${sentence}`);
});
