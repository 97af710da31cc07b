import { expect, test } from 'vitest';
import { configSchema } from '../../config/schema.js';
import { emptyMemory } from '../../memory/memory.js';
import { describeRelease } from './describe-release.js';

const noise = { cohort_release: { epsilon: 1, every_days: 7, budget: 3 } };

test.each([
  [{}, 'callers are sent the exact figures (sharing.cohort_release is not set)'],
  [
    { ...noise, share_cohort_average: false },
    'callers are sent no figure of the cohort (sharing.share_cohort_average is false)',
  ],
  [{ enabled: false }, 'callers are sent no figures (sharing.enabled is false)'],
  [noise, 'noise (epsilon 1), every 7 days'],
])('with %j release says what holds', (sharing, summary) => {
  const analyser = { web_id: 'https://pods.example/analyser/profile/card#me' };
  const config = configSchema.parse({ analyser, sharing });
  const found = { memory: emptyMemory(), version: 1 };
  expect(describeRelease(config, found, new Date()).summary).toBe(summary);
});
