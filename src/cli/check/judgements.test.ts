import { describe, expect, test } from 'vitest';
import { judgeValidity } from '../../base/certificate-files.js';
import { everyoneRule, ownerRule } from '../../pod/documents/access-control-list.js';
import {
  judgeClock,
  judgeCredentials,
  judgeInbox,
  judgePublicKey,
  judgeRefused,
  judgeSpace,
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

describe('a certificate', () => {
  const valid = { validFrom: 'Sep  1 00:00:00 2026 GMT', validTo: 'Dec  1 00:00:00 2026 GMT' };
  test.each([
    ['2026-11-09T23:00:00Z', null],
    ['2026-11-11T00:00:00Z', /expires in 20 days/],
    ['2026-11-30T12:00:00Z', /expires in 0 days/],
    ['2026-12-01T00:00:00Z', /expired on 2026-12-01/],
    ['2026-08-31T23:59:59Z', /valid only from 2026-09-01/],
  ])('on %s', (now, expected) => {
    const problem = judgeValidity('/etc/tls.pem', valid, new Date(now), 21);
    if (expected === null) expect(problem).toBeNull();
    else expect(problem?.message).toMatch(expected);
  });
});

describe('a disk', () => {
  const megabyte = { bsize: 1024 * 1024, files: 1000, ffree: 500 };
  test.each([
    ['with room', { ...megabyte, bavail: 500 }, []],
    ['that counts no files', { ...megabyte, bavail: 500, files: 0, ffree: 0 }, []],
    ['with little room', { ...megabyte, bavail: 499 }, [{ stops: false }]],
    ['without room', { ...megabyte, bavail: 0 }, [{ stops: true }]],
    ['without room for another file', { ...megabyte, bavail: 500, ffree: 0 }, [{ stops: true }]],
  ])('%s', (_, space, findings) => {
    expect(judgeSpace('output.state_dir /var', space)).toMatchObject(findings);
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
