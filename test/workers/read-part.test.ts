import { deserialize, serialize } from 'node:v8';
import { afterAll, expect, test } from 'vitest';
import { onAbort } from '../../src/base/on-abort.js';
import { refusal } from '../../src/pod/read-resource.js';
import { Connection } from '../../src/run/connection.js';
import { askingTime, Deadline } from '../../src/run/read/deadline.js';
import { localPodReader } from '../../src/run/read/read-shares.js';
import {
  fileReadings,
  type Part,
  type PartsQueue,
  partSchema,
} from '../../src/workers/parts-queue.js';
import { readWithWorkers } from '../../src/workers/read-with-workers.js';
import { createPartReader } from '../../src/workers/worker.js';
import { createContributor, shareFolder, weekly } from '../support/contributor.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { ownerOf, podToRead, readTask, share, tableOf } from '../support/readings-of.js';
import { sharedSolidServer } from '../support/solid-server.js';

const server = sharedSolidServer();
const analyser = await createInitialisedPod(server);
/** The login of the workers. */
const connection = new Connection(analyser.client, analyser.pod, analyser.securityKey);
const many = Array.from({ length: 45 }, (_, n): [number, number, number] => [100 + n, 70, 60]);
// Mornings in Auckland, which are evenings of the day before in UTC.
const inAuckland = weekly(...many).map((reading) => ({
  ...reading,
  timestamp: `${reading.timestamp}+13:00`,
}));
const anna = await createContributor(server, analyser, inAuckland);
const ben = await createInitialisedPod(server);
const folder = await shareFolder(ben, analyser, weekly([120, 80, 60], [130, 90, 70]));
afterAll(() => connection.close());

/** Two workers in this process; parts and results are on the way what they are in Redis. */
function twoWorkers(): Pick<PartsQueue, 'use'> & { parts: number } {
  const scale = { requests_per_worker: 8, max_requests: 0 };
  const workers = [createPartReader(scale), createPartReader(scale)];
  const { signal } = new AbortController();
  const copy = (value: unknown): unknown => deserialize(serialize(value));
  return {
    parts: 0,
    use(_signal, work) {
      return work(async (task) => {
        const read = workers[this.parts % workers.length];
        this.parts += 1;
        const part: Part = { workId: 'one', task };
        const sent = partSchema.parse(copy(part));
        return fileReadings.parse(copy(await read?.(connection, sent, signal)));
      }, signal);
    },
  };
}

const { signal: endless } = new AbortController();

test('[4.15] workers read what a single machine reads', async () => {
  const pods = [await podToRead(anna, anna.urls), await podToRead(ben, [folder])];
  const task = readTask({ served: [anna.pod.webId] });
  const queue = twoWorkers();
  const shared = await readWithWorkers(queue).readShares(analyser, pods, task);
  expect(queue.parts).toBeGreaterThan(2);
  const again = [await podToRead(anna, anna.urls), await podToRead(ben, [folder])];
  expect(shared).toEqual(await localPodReader.readShares(analyser, again, task));
  expect(shared).toMatchObject([
    { filesRead: 45, filesSkipped: 0, warnings: [] },
    { filesRead: 2, filesSkipped: 0, warnings: [] },
  ]);
  expect(shared[0]?.readings).toHaveLength(45);
  // Of the last five weeks the first day is left out: (141 + 142 + 143 + 144) / 4.
  const figures = { systolic: 142.5, diastolic: 70, heart_rate: 60 };
  const days = { from: '2026-10-19', to: '2026-11-09', days: 4 };
  expect(shared[0]?.recent).toMatchObject({ ...days, morning: figures, evening: null });
  // Nobody asked for Ben's.
  expect(shared[1]).toMatchObject({ home: null, recent: null });
});

test('keys that strangers have added for a folder without end are sent to no worker', async () => {
  const [own] = (await podToRead(ben, [folder])).folders.values();
  const junk = Array.from({ length: 10_000 }, (_, nth) => Buffer.alloc(32, `junk ${nth}`));
  const keys = [...junk, ...(own?.keys ?? [])];
  const queue = twoWorkers();
  const pods = [tableOf(ownerOf(ben), [share(folder, { keys })])];
  const readings = await readWithWorkers(queue).readShares(analyser, pods, readTask());
  expect(readings).toMatchObject([{ filesRead: 2, filesSkipped: 0 }]);
  expect(queue.parts).toBe(0);
});

test('[4.5] what they have no time for is not asked', async () => {
  const pods = [await podToRead(anna, anna.urls)];
  const queue = twoWorkers();
  const task = readTask({ time: askingTime(performance.now(), endless) });
  const [reading] = await readWithWorkers(queue).readShares(analyser, pods, task);
  expect(queue.parts).toBe(0);
  expect(reading?.filesNotAsked).toBe(45);
  expect(reading?.filesSkipped).toBe(45);
});

test('[4.3] what was refused is asked for again when the time for reading is over', async () => {
  const pods = [await podToRead(ben, [`${folder}refused.enc.ttl`], { isKnown: true })];
  const left: number[] = [];
  const refusing: Pick<PartsQueue, 'use'> = {
    use: (_signal, work) =>
      work((task) => {
        left.push(task.forMs);
        return Promise.resolve(task.files.map(() => refusal(403)));
      }, endless),
  };
  const until = performance.now() + 1_000;
  const time = {
    reading: new Deadline(until, endless),
    confirming: new Deadline(until + 60_000, endless),
    stop: endless,
  };
  await readWithWorkers(refusing).readShares(analyser, pods, readTask({ time }));
  // So much sooner that the answers arrive.
  expect(left).toEqual([expect.closeTo(500, -3), expect.closeTo(60_500, -4)]);
});

test('[4.5] what no worker has read when the time is up is not asked', async () => {
  const pods = [await podToRead(anna, anna.urls)];
  const never: Pick<PartsQueue, 'use'> = {
    use: (_signal, work) =>
      work(async (_task, signal) => {
        await new Promise<void>((resolve) => signal && onAbort(signal, resolve));
        signal?.throwIfAborted();
        throw new Error('A part has to end with its time.');
      }, endless),
  };
  const task = readTask({ time: askingTime(performance.now() + 500, endless) });
  const [reading] = await readWithWorkers(never).readShares(analyser, pods, task);
  expect(reading).toMatchObject({ filesNotAsked: 45, filesSkipped: 45, isUnfinished: true });
});
