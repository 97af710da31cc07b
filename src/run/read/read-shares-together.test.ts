import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { askingTimes, doubleServer } from '../../../test/support/double-server.js';
import { HOME, kindsOf, podAt } from '../../../test/support/scripted-reading.js';
import { readWith, rememberedPod } from '../../../test/support/table.js';
import { wait } from '../../../test/support/wait.js';
import { ROOM_FOR_PODS } from '../../memory/room.js';
import { notAsked, notRead } from '../../pod/outcome.js';
import { filesOf, type Pod } from '../table/row.js';
import { readShares } from './read-shares.js';
import type { AskingFiles, FileToRead } from './read-task.js';

const THERE = 'https://there.example';
const [anna, bob] = [`${HOME}/anna/`, `${THERE}/bob/`];
const read = readWith(null);
const seconds = 1_000;

const readAll = (pods: readonly Pod[], { tools }: Pick<ReturnType<typeof doubleServer>, 'tools'>) =>
  readShares(tools.connection, pods, tools.task, tools.reader);

beforeEach(
  () =>
    void vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    }),
);
afterEach(() => void vi.useRealTimers());

describe('what was read', () => {
  test('[T7] is judged: a key that two new Pods have opens nothing of either', async () => {
    const key = Buffer.alloc(32, 1);
    const pods = [podAt(anna, { fresh: 1 }), podAt(bob, { fresh: 1 })];
    const readings = await readAll(pods, doubleServer({ file: () => readWith(key) }));
    expect(readings.map(kindsOf)).toEqual([{ 'copied key': 1 }, { 'copied key': 1 }]);
  });

  test('[1.5] is let in only while the memory has room', async () => {
    const root = `${HOME}/carol/`;
    const large = rememberedPod(root, [[`${root}${'x'.repeat(ROOM_FOR_PODS)}`, null]]);
    const double = doubleServer({}, { memory: { pods: new Map([[root, large]]) } });
    const readings = await readAll([podAt(anna, { fresh: 1 })], double);
    expect(readings.map(kindsOf)).toEqual([{ 'no room': 1 }]);
  });
});

test('progress is told every two seconds, of what there is to ask for', async () => {
  const told: number[][] = [];
  const double = doubleServer(
    {
      file: async ({ url }) => {
        await wait(url.includes('known0') ? seconds : 3 * seconds, new AbortController().signal);
        return read;
      },
    },
    { onFiles: (...progress) => told.push(progress) },
  );
  const pod = podAt(anna, { known: 3 });
  const last = filesOf(pod).at(-1);
  if (last !== undefined) last.outcome = notRead('other name', 'it is named otherwise');
  const reading = readAll([pod], double);
  await vi.advanceTimersByTimeAsync(60 * seconds);
  await reading;
  expect(told).toEqual([[1, 2]]);
  expect(vi.getTimerCount()).toBe(0);
});

const originsIn = (ending: string) => ({ has: (origin: string) => origin.endsWith(ending) });

describe('the Analyser’s own server', () => {
  test.each([
    ['is that of its Pod', anna, undefined, 64],
    ['may have a host for each Pod', 'https://anna.home.example/', '.home.example', 64],
    ['has no other hosts', bob, '.home.example', 16],
    ['has one host, if nothing else is said', 'https://anna.home.example/', undefined, 16],
  ])('%s, and is asked once: %s', async (_, root, below, expected) => {
    const double = doubleServer({ ownOrigins: below === undefined ? undefined : originsIn(below) });
    await readAll([podAt(root, { fresh: 2 })], double);
    expect(double.parts.map(({ asking }) => asking.atOnce)).toEqual([expected, expected]);
  });

  test.each<[string, 'everybody' | string[], object]>([
    ['with run-once', 'everybody', { read: 1 }],
    ['while somebody waits', ['somebody'], { 'not asked': 1 }],
  ])('is asked for ever, %s', async (_, served, expected) => {
    const time = askingTimes();
    time.reading.end();
    const double = doubleServer({}, { served, time });
    const readings = await readAll([podAt(anna, { known: 1 }), podAt(bob, { known: 1 })], double);
    expect(readings.map(kindsOf)).toEqual([expected, { 'not asked': 1 }]);
  });

  test('[5.13] of it, a Pod without answers is silent as a whole, and no other', async () => {
    const pods = [podAt(anna, { known: 3 }), podAt(`${HOME}/dora/`, { known: 3 })];
    const silence = notRead('silence', 'the storage server gave no answer');
    const file = ({ url }: FileToRead) =>
      url.startsWith(anna) && url.includes('known0') ? silence : notAsked;
    const readings = await readAll(pods, doubleServer({ file }));
    expect(readings.map(kindsOf)).toEqual([{ silence: 3 }, { 'not asked': 3 }]);
  });
});

test.each([
  ['the own one', anna],
  ['another one', bob],
])('the failure of %s ends all reading, and is told once nothing runs on', async (_, failing) => {
  const failure = new Error('The login was refused.');
  const ended: string[] = [];
  const file = async ({ owner: { root } }: FileToRead, _nth: number, { deadline }: AskingFiles) => {
    if (root === failing) throw failure;
    const { signal } = deadline;
    await wait(60 * seconds, signal).catch(() => wait(seconds, new AbortController().signal));
    ended.push(root);
    return notAsked;
  };
  const pods = [podAt(anna, { known: 1 }), podAt(bob, { known: 1 })];
  const told = readAll(pods, doubleServer({ file })).catch((error: unknown) => [error, [...ended]]);
  await vi.advanceTimersByTimeAsync(2 * seconds);
  expect(await told).toEqual([failure, [failing === anna ? bob : anna]]);
});
