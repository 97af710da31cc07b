import { expect, test } from 'vitest';
import { AnalyserError, ServerError } from '../../base/errors.js';
import { podDocuments } from '../../pod/addresses.js';
import { PodAsker } from './ask-pod.js';
import { withinTime } from './patience.js';

const server = 'https://pods.example';
const { signal } = new AbortController();
const [mallory, alice] = [`${server}/mallory/`, `${server}/alice/`];
const elsewhere = 'https://other.example/zoe/';
const silence = { kind: 'not read', because: 'silence' };

const noAnswer = () => {
  throw new ServerError('unavailable', 'It answered HTTP 500.', { url: mallory });
};

/** The Analyser's own private document is all that the connection is asked for. */
function createAsker(ownDocument: () => Promise<unknown> = () => Promise.resolve()) {
  const asked: string[] = [];
  const root = `${server}/analyser/`;
  const pod = { root, documents: podDocuments(root, 'app') };
  const client = {
    async request(url: string) {
      asked.push(url);
      await ownDocument();
      return { status: 200, headers: {}, body: Buffer.alloc(0), url };
    },
  };
  const asker = new PodAsker({ client, pod }, signal);
  const ask = (root: string, question: () => unknown = () => 'here it is', isRemembered = true) =>
    asker.ask({ root, isRemembered, signal }, () => Promise.resolve().then(question));
  const fail = async (of: string, times: number, isRemembered = true) => {
    for (let count = 0; count < times; count += 1) {
      expect(await ask(of, noAnswer, isRemembered)).toMatchObject(silence);
    }
  };
  return { ask, asker, asked, fail, own: pod.documents.encKeys };
}

test('a Pod is asked nothing more after ten silences in succession, and others are', async () => {
  const { ask, asked, fail, own } = createAsker();
  await fail(mallory, 9);
  expect(await ask(mallory)).toEqual({ answer: 'here it is' });
  await fail(mallory, 9);
  expect(asked).toEqual([]);
  await fail(mallory, 1);
  expect(asked).toEqual([own]);
  const never = () => {
    throw new Error('It was asked.');
  };
  expect(await ask(mallory, never)).toMatchObject(silence);
  // A new address was not asked for: it must not pass for one that gives no answer.
  expect(await ask(mallory, never, false)).toMatchObject({ because: 'not asked' });
  expect(await ask(alice)).toEqual({ answer: 'here it is' });
});

test('silence about what was never read gives nobody up, and the server is looked at all the same', async () => {
  const { ask, asked, fail, own } = createAsker();
  await fail(mallory, 25, false);
  expect(asked).toEqual([own, own]);
  expect(await ask(mallory)).toEqual({ answer: 'here it is' });
});

test('what gave no answer is followed by single tries until there is one', async () => {
  const { asker } = createAsker();
  const tries: (number | undefined)[] = [];
  const question = { root: mallory, isRemembered: true, signal };
  for (const isSilent of [true, true, false, false]) {
    await asker.ask(question, (most) => {
      tries.push(most);
      return isSilent ? noAnswer() : Promise.resolve('here it is');
    });
  }
  expect(tries).toEqual([undefined, 1, 1, undefined]);
});

test('a refusal is an answer, and so is what cannot be understood', async () => {
  const { ask, asked, fail } = createAsker();
  for (const error of [
    new ServerError('too-large', 'It is large.', { url: mallory }),
    new AnalyserError('malformed', 'It is no Turtle.'),
  ]) {
    await fail(mallory, 9);
    const outcome = await ask(mallory, () => {
      throw error;
    });
    expect(outcome).toMatchObject({ because: 'unreadable' });
    await fail(mallory, 1);
    await ask(mallory);
  }
  expect(asked).toEqual([]);
});

test('when the own document does not answer either, the storage server is gone', async () => {
  const gone = new ServerError('slow', 'It did not answer.', { url: server });
  const { fail, asked, ask } = createAsker(() => Promise.reject(gone));
  await fail(mallory, 9);
  const last = expect(ask(mallory, noAnswer)).rejects.toBe(gone);
  // Those that are silent at the same time do not ask for it again.
  expect(await ask(alice, noAnswer)).toMatchObject(silence);
  await last;
  expect(asked).toHaveLength(1);
});

test('a Pod on another server is given up without asking the own server', async () => {
  const { fail, asked, ask } = createAsker();
  await fail(elsewhere, 10);
  expect(asked).toEqual([]);
  expect(await ask(elsewhere)).toMatchObject(silence);
  expect(await ask('https://other.example/yan/')).toEqual({ answer: 'here it is' });
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

test('the end of the time is no silence, and the end of the analysis is an error', async () => {
  const { asker } = createAsker();
  const about = (limits: AbortSignal) => ({ root: alice, isRemembered: true, signal: limits });
  const hang = (until: AbortSignal) => () =>
    new Promise<never>((_, reject) => {
      until.addEventListener('abort', () => reject(new Error('aborted')));
    });
  const ended = await withinTime(performance.now() + 5, signal, (limited) =>
    asker.ask(about(limited), hang(limited)),
  );
  expect(ended).toMatchObject({ because: 'not asked' });
  const after = await withinTime(0, signal, (limited) =>
    asker.ask(about(limited), () => Promise.reject(new Error('It was asked.'))),
  );
  expect(after).toMatchObject({ because: 'not asked' });
  const stopped = AbortSignal.abort(new Error('cancelled'));
  await expect(asker.ask(about(stopped), hang(stopped))).rejects.toThrow('cancelled');
  const both = withinTime(0, stopped, (limited) => asker.ask(about(limited), hang(limited)));
  await expect(both).rejects.toThrow('cancelled');
});
