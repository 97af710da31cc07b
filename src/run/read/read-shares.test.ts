import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  fileIn,
  given,
  HOME,
  kindsOf,
  podAt,
  type Reply,
  readFrom,
} from '../../../test/support/scripted-reading.js';
import { askingTime } from './deadline.js';

/** Another server, where many have their Pods. */
const THERE = 'https://there.example';
const isOf = (url: string, ...names: string[]) => names.some((name) => url.includes(`/${name}`));

beforeEach(
  () =>
    void vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    }),
);
afterEach(() => void vi.useRealTimers());

const roots = (count: number, name: string) =>
  Array.from({ length: count }, (_, n) => `${THERE}/${name}${n}/`);
const stranded = { status: 429, headers: { 'retry-after': '600' } };

describe('silence', () => {
  test.each<[string, Reply]>([
    ['hangs', 'hangs'],
    ['gives no connection', { failsAfter: 8 }],
    ['breaks off each connection after a while', { failsAfter: 2 }],
    ['breaks off each connection at once', { failsAfter: 0.01 }],
  ])('of a server that %s is that of all that is known there, sent or not', async (_, reply) => {
    const pods = [podAt(`${THERE}/small/`, { known: 2 }), podAt(`${THERE}/large/`, { known: 300 })];
    const { readings, seconds } = await readFrom(() => reply, pods);
    expect(readings.map(kindsOf)).toEqual([{ silence: 2 }, { silence: 300 }]);
    // A caller waits no longer for it.
    expect(seconds).toBeLessThanOrEqual(13.1);
  });

  test('[4.5] is not that of a server that asks to be left alone', async () => {
    const pods = [podAt(`${THERE}/large/`, { known: 300 })];
    const { readings } = await readFrom(() => stranded, pods);
    expect(readings.map(kindsOf)).toEqual([{ 'not asked': 300 }]);
  });

  test('[4.5] is not that of a request that was cut before its patience was over', async () => {
    const time = askingTime(performance.now() + 5_000, new AbortController().signal);
    const { readings } = await readFrom(() => 'hangs', [podAt(`${THERE}/one/`, { known: 3 })], {
      time,
    });
    expect(readings.map(kindsOf)).toEqual([{ 'not asked': 3 }]);
  });

  test('[5.13] of a Pod is that of all that is known of it, and of nobody beside it', async () => {
    const pods = [
      podAt(`${THERE}/silent/`, { known: 100 }),
      podAt(`${THERE}/alice/`, { known: 100 }),
    ];
    const reply = (url: string) => (isOf(url, 'silent/') ? 'hangs' : given);
    const { readings } = await readFrom(reply, pods);
    expect(readings.map(kindsOf)).toEqual([{ silence: 100 }, { read: 100 }]);
  });

  test('[4.6] of sixteen files that hang on purpose keeps nobody beside them unsent', async () => {
    const pods = [
      podAt(`${THERE}/eve/`, { known: 16 }),
      podAt(`${THERE}/alice/`, { known: 2_000 }),
    ];
    const reply = (url: string) => (isOf(url, 'eve/') ? 'hangs' : given);
    const { readings } = await readFrom(reply, pods);
    expect(readings.map(kindsOf)).toEqual([{ silence: 16 }, { read: 2_000 }]);
  });

  // However many Pods a stranger has: what is not sent is silent only if the server itself is.
  test.each([
    [4, { read: 300 }],
    [16, { 'not asked': 300 }],
    [100, { 'not asked': 300 }],
  ])('[4.5] of %i Pods of a stranger ends no share of others', async (count, expected) => {
    const ofStranger = roots(count, 'eve').map((root) => podAt(root, { known: 4 }));
    const alice = podAt(`${THERE}/alice/`, { known: 300 });
    const reply = (url: string) => (isOf(url, 'eve') ? 'hangs' : given);
    const { readings } = await readFrom(reply, [...ofStranger, alice]);
    expect(kindsOf(readings.at(-1))).toEqual(expected);
  });
});

describe('a withdrawal', () => {
  const taken = fileIn(`${THERE}/alice/`, 'known1');
  const limited = (most: number) => (url: string, sent: readonly { url: string }[]) => {
    if (sent.length >= most) return stranded;
    if (url === taken) return 403;
    return isOf(url, 'known', 'profile/card') ? given : 404;
  };

  test.each([
    ['her own Pod', 'alice', 'alice'],
    ['the Pod of a stranger', 'eve', 'alice'],
  ])(
    '[4.3] is seen, whatever a stranger names in %s, and however early the server says "not now"',
    async (_, of, whose) => {
      const pods =
        of === whose
          ? [podAt(`${THERE}/alice/`, { known: 2, fresh: 5_000 })]
          : [
              podAt(`${THERE}/alice/`, { known: 2 }),
              podAt(`${THERE}/eve/`, { known: 1, fresh: 5_000 }),
            ];
      const { readings } = await readFrom(limited(100), pods);
      expect(readings[0]?.rows.get(taken)?.outcome).toMatchObject({ because: 'refused' });
      expect(readings[0]?.filesRead).toBe(1);
    },
  );

  test('[4.3] is seen while a larger Pod is being read', async () => {
    const pods = [
      podAt(`${THERE}/alice/`, { known: 2 }),
      podAt(`${THERE}/large/`, { known: 5_000 }),
    ];
    const { readings, sent } = await readFrom(limited(200), pods);
    expect(kindsOf(readings[0])).toEqual({ read: 1, refused: 1 });
    expect(sent.findLastIndex(({ url }) => isOf(url, 'alice/'))).toBeLessThan(100);
  });

  test('[4.3] of a Pod that there was no time to read whole is seen as well', async () => {
    const { readings, seconds } = await readFrom(
      (url) => (url === taken ? 403 : given),
      [podAt(`${THERE}/alice/`, { known: 3_000 })],
      { replySeconds: 0.5 },
    );
    expect(kindsOf(readings[0])).toMatchObject({ refused: 1 });
    expect(kindsOf(readings[0])['not asked']).toBeGreaterThan(1_000);
    expect(seconds).toBeLessThanOrEqual(13.1);
  });

  test.each([
    ['ten seconds', HOME, 10],
    ['a third of its patience at another server', THERE, 3.3],
  ])(
    '[4.6] that hangs on purpose when it is confirmed keeps no newcomer waiting for more than %s',
    async (_, server, seconds) => {
      const hanging = [1, 2, 3].map((n) => podAt(`${server}/eve${n}/`, { known: 1 }));
      const newcomer = podAt(`${server}/newcomer/`, { fresh: 100 });
      const reply = (url: string) => {
        if (isOf(url, 'eve') && url.includes('profile')) return 'hangs';
        return isOf(url, 'eve') ? 403 : given;
      };
      const { readings, sent } = await readFrom(reply, [...hanging, newcomer]);
      expect(kindsOf(readings.at(-1))).toEqual({ read: 100 });
      expect(readings.slice(0, 3).map(kindsOf)).toEqual(Array(3).fill({ uncertain: 1 }));
      const last = sent.findLast(({ url }) => isOf(url, 'newcomer'));
      expect(last?.when).toBeCloseTo(seconds, 0);
    },
  );
});

describe('strange hosts', () => {
  const strange = (count: number) =>
    Array.from({ length: count }, (_, n) => podAt(`https://host${n}.example/`, { fresh: 3 }));

  test.each([64, 640])(
    '[4.7] %i of them that hang take no request from a server with known Pods',
    async (count) => {
      const alice = podAt(`${THERE}/alice/`, { known: 1_500 });
      const reply = (url: string) => (url.startsWith('https://host') ? 'hangs' : given);
      // At 16 a time, in 9.4 seconds.
      const pods = [...strange(count), alice];
      const { readings, seconds } = await readFrom(reply, pods, { replySeconds: 0.1 });
      expect(kindsOf(readings.at(-1))).toEqual({ read: 1_500 });
      expect(seconds).toBeLessThanOrEqual(13.1);
    },
  );

  test('that are many are asked in an order that nobody can choose, and those that answer are read', async () => {
    const answering = podAt('https://zoe.example/', { fresh: 3 });
    const reply = (url: string) => (url.startsWith('https://host') ? 'hangs' : given);
    const orderOf = (url: string) => (url.includes('zoe') ? '0' : url);
    const { readings, sent } = await readFrom(reply, [...strange(100), answering], { orderOf });
    expect(sent[0]?.url).toMatch(/^https:\/\/zoe\.example\//);
    expect(kindsOf(readings.at(-1))).toEqual({ read: 3 });
    expect(kindsOf(readings[0])).toEqual({ 'not asked': 3 });
  });
});
