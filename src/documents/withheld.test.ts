import { expect, test } from 'vitest';
import { whyWithheld, withheldWarning } from './withheld.js';

const sharing = { enabled: true, published: [] };

test('the warning of a run says why its callers got no figures of the cohort, and what to do', () => {
  const warnings = ['A file was skipped.', withheldWarning('memory.txt is damaged')];
  expect(whyWithheld({ warnings, sharing })).toEqual({
    text: 'memory.txt is damaged. Find out why, then run the mode `release` with --confirm to send out figures again.',
    untilConfirmed: true,
  });
  expect(whyWithheld({ warnings: ['A file was skipped.'], sharing })).toBeNull();
});
