import { describe, expect, test } from 'vitest';
import { configSchema } from '../../config/schema.js';
import { everyoneRule, ownerRule } from '../../pod/access-control.js';
import { describeExact, judgeInbox, judgeNoise, judgePublicKey } from './judgements.js';

const webId = 'https://pods.example/analyser/profile/card#me';
const inbox = 'https://pods.example/analyser/app/shared/';

describe('the documents that must stay open', () => {
  test.each([
    [200, 'user="read",public="read"', true],
    [200, undefined, true],
    [200, 'user="read",public=""', false],
    [404, undefined, false],
  ])('a public key that answers %i, for everybody or not: %s', (status, allow, isFine) => {
    const headers = { ...(allow !== undefined && { 'wac-allow': allow }) };
    expect(judgePublicKey('https://pods.example/key', { status, headers })).toHaveLength(
      isFine ? 0 : 1,
    );
  });

  const open = everyoneRule(inbox, ['read', 'write']);
  test.each([
    ['everybody may write the folder and its content', [ownerRule(inbox, webId), open], true],
    ['it has no list of its own', null, false],
    ['only its owner may', [ownerRule(inbox, webId)], false],
    ['everybody may read', [everyoneRule(inbox, ['read'])], false],
    ['everybody may append', [everyoneRule(inbox, ['read', 'append'])], false],
    ['only the folder itself is open', [{ ...open, default: [] }], false],
    ['only what is in it is open', [{ ...open, accessTo: [] }], false],
    ['another folder is open', [everyoneRule('https://pods.example/x/', ['write'])], false],
  ])('an inbox where %s', (_case, rules, isFine) => {
    expect(judgeInbox(inbox, rules)).toHaveLength(isFine ? 0 : 1);
  });
});

const configOf = (sharing: object) => configSchema.parse({ analyser: { web_id: webId }, sharing });

// Of 120 / (0.1 × Pods), the deviation is the square root of two times that: 15 at 113 Pods.
test.each([
  [0, false],
  [2, true],
  [113, true],
  [114, false],
])(
  'noise that is larger than what differs between people is a warning: %i Pods',
  (pods, isTold) => {
    const noise = { cohort_release: { epsilon: 0.1, every_days: 7, budget: 3 } };
    const told = judgeNoise(configOf(noise), pods);
    expect(told).toHaveLength(isTold ? 1 : 0);
    if (pods === 2) expect(told[0]).toContain('a standard deviation of 849 mm Hg');
    expect(judgeNoise(configOf({}), pods)).toEqual([]);
  },
);

test.each([
  [{}, true],
  [{ minimum_cohort_pods: 2 }, true],
  [{ minimum_cohort_pods: 3 }, false],
  [{ share_cohort_average: false }, false],
  [{ enabled: false }, false],
  [{ cohort_release: { epsilon: 0.1, every_days: 7, budget: 3 } }, false],
])('with %j exact figures of two Pods are sent: %s', (sharing, isSent) => {
  expect(describeExact(configOf(sharing))).toHaveLength(isSent ? 1 : 0);
});
