import { expect, test } from 'vitest';
import { configSchema } from '../../config/schema.js';
import type { WithheldRecord } from '../../documents/results-document.js';
import { emptyMemory } from '../../memory/memory.js';
import { describeRelease } from './describe-release.js';

const at = Date.UTC(2026, 10, 1);
const noise = { cohort_release: { epsilon: 1, every_days: 7, budget: 3 } };

test.each<[object, WithheldRecord | null, string]>([
  [{}, null, 'the exact figures of the cohort, because sharing.cohort_release is not set.'],
  [
    { ...noise, share_cohort_average: false },
    null,
    'no figures of the cohort, because sharing.share_cohort_average is false.',
  ],
  [{ enabled: false }, null, 'nothing, because sharing.enabled is false.'],
  [
    noise,
    null,
    'figures of the cohort with noise (epsilon 1) every 7 days, none so far; the budget of 3 in 365 days is not used up.',
  ],
  [
    noise,
    { reason: 'the memory is gone.', until_confirmed: true },
    'no figures of the cohort, because the memory is gone: find out why, then run this',
  ],
  [
    {},
    { reason: '1 Pod could not be read', until_confirmed: false },
    'no figures of the cohort, because 1 Pod could not be read. So found the last analysis; the next one looks again.',
  ],
])('with %j and %o release says in one sentence what holds', (sharing, withheld, sentence) => {
  const analyser = { web_id: 'https://pods.example/analyser/profile/card#me' };
  const config = configSchema.parse({ analyser, sharing });
  const said = describeRelease(config, withheld, emptyMemory(), new Date(at), 'this');
  expect(said).toBe(`Callers are sent ${sentence}`);
});
