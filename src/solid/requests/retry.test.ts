import { expect, test } from 'vitest';
import { AnalyserError, ServerError, type ServerFailure } from '../../base/errors.js';
import { RETRY_AT_HOME, readRetryAfter, rejectUnavailable, retry } from './retry.js';

const context = {
  policy: { ...RETRY_AT_HOME, firstPauseMs: 1, tries: 4, slowTries: 2 },
  random: () => 0.5,
  now: () => 0,
};
const { signal } = new AbortController();

test.each<[ServerFailure, number]>([
  ['unreachable', 4],
  ['unavailable', 4],
  ['slow', 2],
  ['login', 1],
  ['refused', 1],
  ['too-large', 1],
  ['forbidden-address', 1],
])('after the failure "%s" there are %i tries in all', async (failure, tries) => {
  let tried = 0;
  const error = new ServerError(failure, failure, { url: 'https://pods.example/' });
  const attempt = () => {
    tried += 1;
    return Promise.reject(error);
  };
  await expect(retry(attempt, context, signal)).rejects.toBe(error);
  expect(tried).toBe(tries);
});

test('what an inner retry has given up on is not tried again', async () => {
  let tried = 0;
  const inner = () =>
    retry(
      () => {
        tried += 1;
        return Promise.reject(new ServerError('unreachable', 'gone', { url: '' }));
      },
      context,
      signal,
    );
  await expect(retry(inner, context, signal)).rejects.toThrow('gone');
  expect(tried).toBe(4);
});

test('an abort ends the pause with its own reason', async () => {
  const patient = { ...context, policy: { ...context.policy, firstPauseMs: 60_000 } };
  const stop = new AbortController();
  const reason = new AnalyserError('cancelled', 'stopped');
  const waiting = retry(
    () => {
      setImmediate(() => stop.abort(reason));
      return Promise.reject(new ServerError('unreachable', 'gone', { url: '' }));
    },
    patient,
    stop.signal,
  );
  await expect(waiting).rejects.toBe(reason);
});

test.each([
  ['120', 120_000],
  ['0', 0],
  ['Thu, 01 Jan 1970 00:01:00 GMT', 50_000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['soon', 0],
  ['-1', 0],
  [undefined, 0],
])('Retry-After %s asks for a pause of %i ms', (value, pause) => {
  expect(readRetryAfter(value, 10_000)).toBe(pause);
});

test.each([
  [200, false],
  [404, false],
  [429, true],
  [500, true],
  [501, false],
  [503, true],
])('HTTP %i means a server in trouble: %s', (status, trouble) => {
  const answer = { status, headers: {}, body: Buffer.alloc(0), url: 'https://pods.example/' };
  if (!trouble) expect(rejectUnavailable(answer)).toBe(answer);
  else
    expect(() => rejectUnavailable(answer)).toThrow(
      expect.objectContaining({ failure: 'unavailable' }),
    );
});
