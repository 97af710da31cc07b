import { expect, test } from 'vitest';
import { readRetryAfter, rejectUnavailable } from './unavailable.js';

test.each([
  ['120', 120_000],
  ['0', 0],
  ['Thu, 01 Jan 1970 00:01:00 GMT', 0],
  ['soon', 0],
  ['-1', 0],
  [undefined, 0],
])('Retry-After %s asks for a pause of %i ms', (value, pause) => {
  expect(readRetryAfter(value)).toBe(pause);
});

test.each([
  [200, false, false],
  [404, false, false],
  [429, true, true],
  [500, true, false],
  [501, false, false],
  [503, true, true],
  [507, false, false],
])('HTTP %i means a server in trouble: %s, and "not now": %s', (status, trouble, isBusy) => {
  const answer = { status, headers: {}, body: Buffer.alloc(0), url: 'https://pods.example/' };
  if (!trouble) expect(rejectUnavailable(answer)).toBe(answer);
  else
    expect(() => rejectUnavailable(answer)).toThrow(
      expect.objectContaining({ failure: 'unavailable', isBusy }),
    );
});
