import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { askingTimes, doubleServer, howToRead } from '../../../test/support/double-server.js';
import { fileIn, podAt } from '../../../test/support/scripted-reading.js';
import { readWith } from '../../../test/support/table.js';
import { wait } from '../../../test/support/wait.js';
import { MOST_DRAWN, type Reading } from '../../analysis/reading.js';
import { ServerError } from '../../base/errors.js';
import { notRead } from '../../pod/outcome.js';
import { refusal } from '../../pod/read-resource.js';
import type { FileOutcome, Pod } from '../table/row.js';
import { readServer, type ServerTools } from './read-server.js';

const server = 'https://pods.example';
const root = `${server}/anna/`;
const ownDocument = `${server}/analyser/app/encryption/enc-keys.ttl`;
const read = readWith(null);
const silence = notRead('silence', 'the storage server gave no answer');
const slow = new ServerError('slow', 'It did not answer.', { url: server });
const seconds = 1_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const readAll = (
  pods: readonly Pod[],
  { tools }: { tools: ServerTools },
  how?: Parameters<typeof howToRead>[0],
) => readServer(pods, tools, howToRead(how));

test.each([
  [64, 4],
  [16, 4],
  [8, 2],
  [2, 1],
])('[4.6] of %i requests at once a Pod that hangs has %i', async (atOnce, most) => {
  const stop = new AbortController();
  const time = askingTimes(stop.signal);
  const double = doubleServer({
    file: (_, _nth, { deadline }) => wait(60 * seconds, deadline.signal).then(() => read),
  });
  const reading = readAll([podAt(root, { known: 30 })], double, { time, atOnce });
  expect(double.asked).toHaveLength(most);
  // A Cancel ends what is in hand, and begins nothing.
  stop.abort(new Error('Cancelled.'));
  await expect(reading).rejects.toThrow('Cancelled.');
  expect(double.asked).toHaveLength(most);
});

test('[5.13] a Pod that calls takes its turn before made-up ones', async () => {
  const pods = ['new', 'caller'].map((name) => podAt(`${server}/${name}/`, { fresh: 1 }));
  const served = pods.slice(1).map(({ owner }) => owner.webId);
  const double = doubleServer({}, { served });
  await readAll(pods, double, { atOnce: 1 });
  expect(double.asked).toEqual(
    ['caller', 'new'].map((name) => fileIn(`${server}/${name}/`, 'new0')),
  );
});

describe('what is new, while a refusal is confirmed', () => {
  /** The confirmation takes so long. Tells how many of the hundred new files were asked for. */
  const readWhile = (milliseconds: number, patienceMs?: number) => {
    const newcomer = podAt(`${server}/newcomer/`, { fresh: 100 });
    const isNew = (url: string) => url.startsWith(newcomer.owner.root);
    const double = doubleServer({
      page: async (_, _nth, { signal = new AbortController().signal }) => {
        await wait(milliseconds, signal);
        return 403;
      },
      file: ({ url }) => (isNew(url) ? read : refusal(403)),
    });
    const pods = [podAt(root, { known: 1 }), newcomer];
    const patience = patienceMs !== undefined && { patienceMs };
    const reading = readAll(pods, double, { ...patience });
    return { reading, asked: () => double.asked.filter(isNew).length };
  };

  test.each<[string, number | undefined, number]>([
    ['at the Analyser’s own server', undefined, 10],
    ['at a server with a patience of 9 seconds', 9 * seconds, 3],
    ['at a server with a patience of 60 seconds', 60 * seconds, 10],
  ])('[4.2] waits for it, but for a few, %s', async (_, patienceMs, expected) => {
    const { asked, reading } = readWhile(100 * seconds, patienceMs);
    await vi.advanceTimersByTimeAsync(expected * seconds - 1);
    expect(asked()).toBeLessThan(50);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked()).toBe(100);
    await vi.advanceTimersByTimeAsync(100 * seconds);
    await reading;
  });

  test('[4.2] comes as soon as it is confirmed, and no timer is left', async () => {
    const { asked, reading } = readWhile(2 * seconds);
    await vi.advanceTimersByTimeAsync(2 * seconds - 1);
    expect(asked()).toBeLessThan(50);
    await vi.advanceTimersByTimeAsync(1);
    await reading;
    expect(asked()).toBe(100);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('silence at the server of the Analyser', () => {
  const silentIf = (isSilent: (url: string) => boolean) =>
    doubleServer({
      page: () => slow,
      file: ({ url }) => (isSilent(url) ? silence : read),
    });
  const pods = () => [podAt(root, { known: 2 }), podAt(`${server}/bob/`, { known: 1 })];

  test('ends the analysis, if it gives not even a document of the Analyser', async () => {
    const double = silentIf((url) => url.includes('anna') && url.includes('known1'));
    const reading = readAll(pods(), double, { analyserDocument: ownDocument });
    await expect(reading).rejects.toBe(slow);
  });

  test('ends nothing, if it gives one', async () => {
    const double = doubleServer({ file: () => silence });
    await readAll(pods(), double, { analyserDocument: ownDocument });
    expect(double.asked.filter((url) => !url.includes('/data/'))).toEqual([ownDocument]);
  });

  test.each([
    ['without silence', ownDocument, false],
    ['at another server', null, true],
  ])('%s is not asked about', async (_, analyserDocument, isSilent) => {
    const double = silentIf(() => isSilent);
    await readAll(pods(), double, { analyserDocument });
    expect(double.asked.filter((url) => !url.includes('/data/'))).toEqual([]);
  });
});

describe('of a huge Pod', () => {
  const half = MOST_DRAWN / 2;
  /** So many, one after the other from this time on. */
  const readingsFrom = (from: number, count: number): Reading[] =>
    Array.from({ length: count }, (_, nth) => ({
      time: from + nth,
      offset: 0,
      systolic: 120,
      diastolic: 80,
      heart_rate: null,
    }));

  /** What is left of each file, and how many it counts; each file is earlier than the one before. */
  async function left(pod: Pod, counts: readonly number[]) {
    const given = counts.map(
      (count, nth): FileOutcome => ({
        ...read,
        readings: readingsFrom(-nth * MOST_DRAWN, count),
      }),
    );
    // Not all of it is read.
    const outcomes = [notRead('no key', ''), ...given];
    const double = doubleServer({ file: () => outcomes.shift() ?? read });
    await readAll([pod], double, { atOnce: 1 });
    const lengths = [...pod.rows.values()].map((row) => row.read?.readings.length ?? null);
    return { lengths, kept: double.tools.kept.get(pod) };
  }

  test('all readings are kept below three times what is drawn', async () => {
    const counts = [MOST_DRAWN, MOST_DRAWN, MOST_DRAWN - 1];
    const { lengths, kept } = await left(podAt(root, { known: 4 }), counts);
    expect(lengths).toEqual([null, ...counts]);
    expect(kept).toBe(3 * MOST_DRAWN - 1);
  });

  test('the latest are kept from then on, as many as are drawn', async () => {
    const counts = [half, MOST_DRAWN, MOST_DRAWN, half];
    const { lengths, kept } = await left(podAt(root, { known: 5 }), counts);
    expect(lengths).toEqual([null, half, half, 0, 0]);
    expect(kept).toBe(MOST_DRAWN);
  });

  test('the latest of known files and those of new ones are kept apart, however often', async () => {
    // Known first; of the new ones, the highest address first.
    const counts = [1, half, ...Array<number>(5).fill(MOST_DRAWN)];
    const { lengths, kept } = await left(podAt(root, { known: 3, fresh: 5 }), counts);
    expect(lengths).toEqual([null, 1, half, 0, 0, 0, 0, MOST_DRAWN]);
    expect(kept).toBe(1 + half + MOST_DRAWN);
  });
});
