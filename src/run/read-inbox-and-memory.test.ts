import { expect, test } from 'vitest';
import { AnalyserError, ServerError } from '../base/errors.js';
import { withoutInbox } from './read-inbox-and-memory.js';

const at = { url: 'https://pods.example/analyser/app/shared/shared-keys.ttl' };

test.each<[Error, boolean]>([
  [new ServerError('unavailable', 'It answered HTTP 500.', at), false],
  [new AnalyserError('malformed', 'It is no Turtle.'), false],
  [new ServerError('login', 'The login was refused.', at), true],
  [new TypeError('a bug'), true],
])('%s: whether it concerns more than the inbox, and ends the analysis: %s', (error, isMore) => {
  if (isMore) expect(() => withoutInbox(error)).toThrow(error);
  else expect(withoutInbox(error)).toMatchObject({ shares: [], unread: error.message });
});
