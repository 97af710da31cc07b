import { describe, expect, test } from 'vitest';
import { AnalyserError, ServerError } from '../../base/errors.js';
import type { SolidAnswer } from '../../solid/solid-client.js';
import { askForAnalyserDocument, PodAsker } from './ask-pod.js';
import { Deadline } from './deadline.js';

const server = 'https://pods.example';
const { signal } = new AbortController();
const [mallory, alice] = [`${server}/mallory/`, `${server}/alice/`];
const silence = { kind: 'not read', because: 'silence' };
const late = { kind: 'not read', because: 'not asked' };

const given = { body: 'here it is' };
const noAnswer = (): never => {
  throw new ServerError('unavailable', 'It answered HTTP 500.', { url: mallory });
};

const endless = new Deadline(Number.POSITIVE_INFINITY, signal);

function createAsker() {
  const asker = new PodAsker();
  const ask = (root: string, question: () => object = () => given, isKnown = true) =>
    asker.ask({ root, isKnown, deadline: endless }, () => Promise.resolve().then(question));
  const fail = async (of: string, times: number, isKnown = true) => {
    for (let count = 0; count < times; count += 1) {
      expect(await ask(of, noAnswer, isKnown)).toMatchObject(silence);
    }
  };
  return { ask, asker, fail };
}

test('[4.11] a Pod is asked nothing more after ten silences in succession, and others are', async () => {
  const { ask, fail } = createAsker();
  await fail(mallory, 9);
  expect(await ask(mallory)).toBe(given);
  await fail(mallory, 10);
  const never = () => {
    throw new Error('It was asked.');
  };
  expect(await ask(mallory, never)).toMatchObject(silence);
  // A new address was not asked for: it must not pass for one that gives no answer.
  expect(await ask(mallory, never, false)).toMatchObject({ because: 'not asked' });
  expect(await ask(alice)).toBe(given);
});

test('[4.11][5.5] silence about what was never read gives nobody up', async () => {
  const { ask, fail } = createAsker();
  await fail(mallory, 25, false);
  expect(await ask(mallory)).toBe(given);
});

test.each([
  ['unavailable', 'the storage server could not give it'],
  ['slow', 'the storage server gave no answer'],
] as const)('the silence of a server that is %s is told as such', async (failure, reason) => {
  const { ask } = createAsker();
  const outcome = await ask(alice, () => {
    throw new ServerError(failure, 'Why.', { url: alice });
  });
  expect(outcome).toMatchObject({ ...silence, reason, cause: 'Why.' });
});

test('what gave no answer is followed by single tries until there is one', async () => {
  const { asker } = createAsker();
  const tries: (number | undefined)[] = [];
  const question = { root: mallory, isKnown: true, deadline: endless };
  for (const isSilent of [true, true, false, false]) {
    await asker.ask(question, (how) => {
      tries.push(how.tries);
      return isSilent ? noAnswer() : Promise.resolve(given);
    });
  }
  expect(tries).toEqual([undefined, 1, 1, undefined]);
});

test.each([
  new ServerError('too-large', 'It is large.', { url: mallory }),
  new AnalyserError('malformed', 'It is no Turtle.'),
])('[4.11] what cannot be understood is an answer: %s', async (error) => {
  const { ask, fail } = createAsker();
  await fail(mallory, 9);
  const outcome = await ask(mallory, () => {
    throw error;
  });
  expect(outcome).toMatchObject({ because: 'unreadable' });
  await fail(mallory, 1);
  expect(await ask(mallory)).toBe(given);
});

test.each([
  new ServerError('login', 'The login was refused.', { url: server }),
  new AnalyserError('disk', 'The disk is full.'),
  new TypeError('a bug'),
])('what concerns more than one Pod ends the analysis: %s', async (error) => {
  const { ask } = createAsker();
  const asking = ask(alice, () => {
    throw error;
  });
  await expect(asking).rejects.toBe(error);
});

test('[4.5] the end of the time is no silence, and the end of the analysis is an error', async () => {
  const { asker } = createAsker();
  const ask = (deadline: Deadline) =>
    asker.ask(
      { root: alice, isKnown: true, deadline },
      () =>
        new Promise<never>((_, reject) => {
          deadline.signal.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    );
  expect(await ask(new Deadline(performance.now() + 5, signal))).toMatchObject(late);
  expect(await ask(new Deadline(0, signal))).toMatchObject(late);
  const stopped = AbortSignal.abort(new Error('cancelled'));
  await expect(ask(new Deadline(Number.POSITIVE_INFINITY, stopped))).rejects.toThrow('cancelled');
  await expect(ask(new Deadline(0, stopped))).rejects.toThrow('cancelled');
});

describe('the Analyser’s own document', () => {
  const own = `${server}/analyser/app/encryption/enc-keys.ttl`;
  const answerOf = (status: number) => ({ status, headers: {}, body: Buffer.alloc(0), url: own });
  const failure = new ServerError('slow', 'It did not answer.', { url: own });

  /** `end` is what happens meanwhile. */
  const askFor = (status: number | null, end: (of: Deadline) => void = () => undefined) => {
    const deadline = new Deadline(Number.POSITIVE_INFINITY, signal);
    const request = (): Promise<SolidAnswer> => {
      end(deadline);
      return status === null ? Promise.reject(failure) : Promise.resolve(answerOf(status));
    };
    return askForAnalyserDocument({ request }, own, deadline);
  };

  test.each([
    [200, true],
    [403, false],
  ])('[4.4] is given with HTTP %i: %s', async (status, expected) => {
    expect(await askFor(status)).toBe(expected);
  });

  test('without an answer the storage server has gone, but not once the time is over', async () => {
    await expect(askFor(null)).rejects.toBe(failure);
    expect(await askFor(null, (deadline) => deadline.end())).toBe(false);
  });
});
