import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { askingTimes, doubleServer } from '../../../test/support/double-server.js';
import { kindsOf, podAt } from '../../../test/support/scripted-reading.js';
import { readWith } from '../../../test/support/table.js';
import { wait } from '../../../test/support/wait.js';
import { ServerError } from '../../base/errors.js';
import { notAsked, notRead } from '../../pod/outcome.js';
import type { Pod } from '../table/row.js';
import { readOthers } from './read-others.js';
import type { AskingFiles, ReadTask } from './read-task.js';

const seconds = 1_000;
const read = readWith(null);
const silence = notRead('silence', 'the storage server gave no answer');
const originOf = (name: string) => `https://${name}.example`;
const slow = new ServerError('slow', 'It did not answer.', { url: originOf('any') });
const never = new AbortController().signal;
const served = ['somebody'];

type Servers = Readonly<Record<string, readonly Pod[]>>;

/** One Pod at each of so many servers. */
const many = (count: number, files: Parameters<typeof podAt>[1]): Servers =>
  Object.fromEntries(
    Array.from({ length: count }, (_, nth) => {
      const name = `host${nth}`;
      return [name, [podAt(`${originOf(name)}/`, files)]];
    }),
  );

/** Reads from the servers; the Analyser's own was read from before, if nothing else is said. */
const readFrom = (
  servers: Servers,
  { tools }: Pick<ReturnType<typeof doubleServer>, 'tools'>,
  own = Promise.resolve(),
) => {
  const given = Object.entries(servers).map(([name, pods]) => [originOf(name), pods] as const);
  return Promise.all(readOthers(given, tools, { time: askingTimes(), own }));
};

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

describe('the requests at once', () => {
  /** How many each server was asked at once, by name. */
  async function atOnceOf(servers: Servers, changes: Partial<ReadTask> = {}) {
    const double = doubleServer({}, { served, ...changes });
    await readFrom(servers, double);
    return Object.fromEntries(
      double.parts.map(({ files, asking }) => [
        new URL(files[0]?.url ?? '').hostname.replace('.example', ''),
        asking.atOnce,
      ]),
    );
  }

  test.each<[number, string, Parameters<typeof podAt>[1], number]>([
    [1, 'known', { known: 1 }, 16],
    [4, 'known', { known: 1 }, 16],
    [5, 'known', { known: 1 }, 12],
    [100, 'known', { known: 1 }, 1],
    [8, 'strange', { fresh: 1 }, 8],
    [100, 'strange', { fresh: 1 }, 1],
  ])('are divided among %i servers that are %s', async (count, _, files, expected) => {
    const atOnce = await atOnceOf(many(count, files));
    expect(Object.keys(atOnce)).toHaveLength(count);
    expect(new Set(Object.values(atOnce))).toEqual(new Set([expected]));
  });

  test.each<[string, boolean, 'nobody' | 'new' | 'everybody', number]>([
    ['where a known Pod lies beside a new one', true, 'nobody', 16],
    ['where a caller has a new Pod', false, 'new', 16],
    ['where nobody is known or calls', false, 'nobody', 8],
    // Nobody calls run-once.
    ['where nobody is known, with run-once', false, 'everybody', 8],
  ])('[4.7] of a server %s', async (_, isKnown, whom, expected) => {
    const pod = podAt(`${originOf('one')}/new/`, { fresh: 1 });
    const pods = [pod, ...(isKnown ? [podAt(`${originOf('one')}/known/`, { known: 1 })] : [])];
    const whose = { nobody: served, new: [pod.owner.webId], everybody: 'everybody' as const };
    const strange = many(7, { fresh: 1 });
    const atOnce = await atOnceOf({ ...strange, one: pods }, { served: whose[whom] });
    expect(atOnce).toMatchObject({ one: expected, host0: expected === 16 ? 9 : 8 });
  });
});

describe('a server that hangs', () => {
  /** When the requests to these servers ended, in seconds. `isAgain`: of those that are made a second time. */
  async function endsOf(
    servers: () => Servers,
    {
      own,
      isAgain = false,
      ...changes
    }: Partial<ReadTask> & { own?: Promise<void>; isAgain?: boolean } = {},
  ) {
    const ends: number[] = [];
    const double = doubleServer(
      {
        page: () => slow,
        file: async (_, nth, { deadline }) => {
          if (isAgain && nth === 0) return silence;
          await wait(Number.POSITIVE_INFINITY, deadline.signal).catch(() => undefined);
          ends.push(performance.now() / seconds);
          return notAsked;
        },
      },
      { served, ...changes },
    );
    const began = performance.now() / seconds;
    const reading = readFrom(servers(), double, own);
    await vi.advanceTimersByTimeAsync(60 * seconds);
    await reading;
    expect(vi.getTimerCount()).toBe(0);
    return [...new Set(ends.map((end) => Math.round(end - began)))];
  }

  const isNew = { fresh: 1 };

  test.each<[string, () => Servers, Parameters<typeof endsOf>[1], number[]]>([
    ['has ten seconds, and one for what was sent', () => many(1, { known: 1 }), {}, [11]],
    ['has its own patience', () => many(1, { known: 1 }), { patienceOf: () => 5 * seconds }, [6]],
    ['has the same if nobody is known there', () => many(64, isNew), {}, [11]],
    ['has three more for a second time', () => many(64, isNew), { isAgain: true }, [13]],
    // More than are read at once, so one waits for its turn.
    ['has three if it is one of a crowd', () => many(65, isNew), {}, [3, 6]],
    ['of a crowd has no more for a second time', () => many(65, isNew), { isAgain: true }, [3, 6]],
    [
      'of a crowd has the time from when the first began',
      () => many(65, isNew),
      { patienceOf: () => 4 * seconds },
      [3, 5],
    ],
    [
      'has its time with run-once, however many there are',
      () => many(65, isNew),
      { served: 'everybody' },
      [11, 22],
    ],
    [
      'has its time if its Pods are known, however many there are',
      () => many(65, { known: 1 }),
      {},
      [11, 22],
    ],
  ])('%s', async (_, servers, how, expected) => {
    expect(await endsOf(servers, how)).toEqual(expected);
  });

  test.each([
    ['was read', () => undefined],
    ['has failed', () => Promise.reject(new Error('It is gone.'))],
  ])('is waited for until the own server %s', async (_, end) => {
    const own = wait(20 * seconds, never).then(end);
    own.catch(() => undefined);
    expect(await endsOf(() => many(1, { known: 1 }), { own })).toEqual([21]);
  });
});

test('strange servers are asked in an order that nobody can choose', async () => {
  const double = doubleServer(
    {},
    { served, orderOf: (url) => (url.includes('host2') ? '0' : url) },
  );
  await readFrom(many(4, { fresh: 1 }), double);
  const hosts = double.asked.map((url) => new URL(url).hostname.slice(0, 5));
  expect(hosts).toEqual(['host2', 'host0', 'host1', 'host3']);
});

test('a failure of one is told, and no timer is left', async () => {
  const failure = new Error('The login was refused.');
  const double = doubleServer({ file: () => Promise.reject(failure) });
  await expect(readFrom(many(1, { known: 1 }), double)).rejects.toBe(failure);
  expect(vi.getTimerCount()).toBe(0);
});

describe('a server that may be silent', () => {
  const origin = originOf('one');
  const anna = (files: Parameters<typeof podAt>[1]) => podAt(`${origin}/anna/`, files);
  const bob = (files: Parameters<typeof podAt>[1]) => podAt(`${origin}/bob/`, files);

  /** Nothing of Anna could be asked for, and Bob's is given. */
  async function silenceOf(pods: readonly Pod[], first: number | ServerError) {
    const asking: AskingFiles['patienceMs'][] = [];
    const double = doubleServer(
      {
        page: (_, _nth, { patienceMs }) => {
          asking.push(patienceMs);
          return first;
        },
        file: ({ url }) => (url.includes('/bob/') ? read : notAsked),
      },
      { served, patienceOf: (url) => (url === origin ? 7 * seconds : 0) },
    );
    await readFrom({ one: pods }, double);
    asking.push(...double.parts.map((part) => part.asking.patienceMs));
    expect(new Set(asking)).toEqual(new Set([7 * seconds]));
    return { kinds: pods.map(kindsOf), knocks: double.asked.filter((url) => url === `${origin}/`) };
  }

  test.each<[string, () => Pod[], number | ServerError, object[]]>([
    ['gives its first page', () => [anna({ known: 2 })], 200, [{ 'not asked': 2 }]],
    ['does not give its first page', () => [anna({ known: 2 })], slow, [{ silence: 2 }]],
    [
      'does not give its first page, but a file',
      () => [anna({ known: 2 }), bob({ known: 1 })],
      slow,
      [{ 'not asked': 2 }, { read: 1 }],
    ],
    [
      'does not give its first page: of new files that is no silence',
      () => [anna({ known: 1 }), podAt(`${origin}/new/`, { fresh: 1 })],
      slow,
      [{ silence: 1 }, { 'not asked': 1 }],
    ],
  ])('and %s', async (_, pods, first, expected) => {
    const { kinds, knocks } = await silenceOf(pods(), first);
    expect(kinds).toEqual(expected);
    expect(knocks).toEqual([`${origin}/`]);
  });

  test('is not asked for its first page where nothing is known', async () => {
    const { kinds, knocks } = await silenceOf([anna({ fresh: 1 })], slow);
    expect(kinds).toEqual([{ 'not asked': 1 }]);
    expect(knocks).toEqual([]);
  });

  test('is not waited for once it has given a file', async () => {
    const signals: AbortSignal[] = [];
    const double = doubleServer({
      page: async (_, _nth, { signal = never }) => {
        signals.push(signal);
        await wait(Number.POSITIVE_INFINITY, signal);
        return 200;
      },
    });
    await readFrom({ one: [bob({ known: 1 })] }, double);
    expect(signals.map((signal) => signal.aborted)).toEqual([true]);
  });
});
