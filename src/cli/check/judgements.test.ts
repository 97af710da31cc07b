import { describe, expect, test } from 'vitest';
import { everyoneRule, ownerRule } from '../../pod/documents/access-control-list.js';
import {
  judgeClock,
  judgeCredentials,
  judgeInbox,
  judgePublicKey,
  judgeRefused,
  webIdOfToken,
} from './judgements.js';

const webId = 'https://pods.example/analyser/profile/card#me';
const inbox = 'https://pods.example/analyser/app/shared/';
const tokenFor = (claims: object) =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;

describe('the clock', () => {
  const now = new Date('2026-11-20T12:00:00.900Z');
  test.each([
    ['Fri, 20 Nov 2026 12:00:00 GMT', null],
    ['Fri, 20 Nov 2026 11:59:01 GMT', null],
    ['Fri, 20 Nov 2026 12:01:00 GMT', null],
    ['no date', null],
    [undefined, null],
    ['Fri, 20 Nov 2026 11:58:59 GMT', /62 seconds ahead of/],
    ['Fri, 20 Nov 2026 12:02:00 GMT', /119 seconds behind/],
  ])('of a server that says %s', (date, expected) => {
    const findings = judgeClock(date, now);
    if (expected === null) expect(findings).toEqual([]);
    else expect(findings).toMatchObject([{ message: expect.stringMatching(expected) }]);
  });
});

test('shares that are left out are counted by origin, and by any other reason', () => {
  const foreign = 'it is not on the storage server nor on one of data.allowed_origins';
  const messages = judgeRefused([
    { url: 'https://a.example/1', reason: foreign },
    { url: 'https://b.example/1', reason: foreign },
    { url: 'https://a.example/2', reason: foreign },
    { url: 'https://pods.example/x', reason: 'it is not in the folder app/ of a Pod' },
  ]).map(({ message }) => message);
  expect(messages).toEqual([
    '2 shared resources are on https://a.example, where nothing is read: add it to data.allowed_origins if its Pods are to take part.',
    '1 shared resource is on https://b.example, where nothing is read: add it to data.allowed_origins if its Pods are to take part.',
    '1 shared resource is left out, because it is not in the folder app/ of a Pod, such as https://pods.example/x',
  ]);
});

describe('client credentials', () => {
  test('bound to the configured WebID, or to one that the token does not tell, are fine', () => {
    expect(judgeCredentials(tokenFor({ webid: webId }), webId)).toEqual([]);
    expect(judgeCredentials('opaque', webId)).toEqual([]);
  });

  test('bound to another WebID are named with both', () => {
    const other = 'https://pods.example/other/profile/card#me';
    const [finding] = judgeCredentials(tokenFor({ webid: other }), webId);
    expect(finding?.message).toContain(other);
    expect(finding?.message).toContain(webId);
  });

  test.each(['', '.', 'a.b.c', tokenFor([]), tokenFor({ webid: 1 }), `e30.${'%'.repeat(9)}.x`])(
    'are not read from the token %j',
    (token) => expect(webIdOfToken(token)).toBeNull(),
  );
});

describe('the documents that must stay open', () => {
  test.each([401, 403, 404, 500])('a public key that answers %i is found', (status) => {
    expect(judgePublicKey('https://pods.example/key', status)).toHaveLength(1);
  });

  test('a public key that answers 200 is fine', () => {
    expect(judgePublicKey('https://pods.example/key', 200)).toEqual([]);
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
