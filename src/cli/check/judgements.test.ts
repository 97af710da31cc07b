import { describe, expect, test } from 'vitest';
import { everyoneRule, ownerRule } from '../../pod/documents/access-control-list.js';
import { judgeInbox, judgePublicKey } from './judgements.js';

const webId = 'https://pods.example/analyser/profile/card#me';
const inbox = 'https://pods.example/analyser/app/shared/';

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
