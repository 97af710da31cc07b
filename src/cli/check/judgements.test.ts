import { describe, expect, test } from 'vitest';
import { everyoneRule, ownerRule } from '../../pod/access-control.js';
import { judgeInbox, judgePublicKey } from './judgements.js';

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
