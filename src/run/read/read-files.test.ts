import { expect, onTestFinished, test } from 'vitest';
import { readTask } from '../../../test/support/readings-of.js';
import { ServerError } from '../../base/errors.js';
import { isFor } from '../../pod/outcome.js';
import { createInHand, noteInHand, spareNothing } from '../../solid/in-hand.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { Deadline } from './deadline.js';
import { FilesReader } from './read-files.js';
import type { FileToRead } from './read-task.js';

const root = 'https://pods.example/mallory/';
const MEGABYTES = 2 ** 20;

const reading = '{"systolic":120,"diastolic":80}';
const many = (item: string, count: number) => `[${Array(count).fill(item).join()}]`;
const sixtyThousand = (item: string) => many(item, 60_000);

/** Asks for the files on a server where each of them has this body and these headers. */
async function answersOf(
  files: readonly FileToRead[],
  body: string,
  headers: Record<string, string>,
  atOnce = 1,
) {
  const asked: string[] = [];
  const client = {
    request(url: string) {
      asked.push(url);
      return Promise.resolve({ status: 200, headers, body: Buffer.from(body), url });
    },
    close: () => Promise.resolve(),
  };
  const task = readTask();
  const reader = new FilesReader({ client }, task.rules);
  const answers = await reader.readPart(files, { atOnce, deadline: task.time.reading });
  return { answers, asked };
}

const fileOf = (nth: number): FileToRead => ({
  url: `${root}app/data/blood_pressure/${nth}.json.enc.ttl`,
  owner: { root, webId: `${root}profile/card#me`, podId: 'mallory', rootIs: 'certain' },
  keys: [],
  folder: null,
  isNamed: true,
  isKnown: true,
  isServed: false,
});

test.each([
  // Of files as large as one may be. The last one tells that it is too much.
  ['128 MB', reading.padEnd(4 * MEGABYTES), 1, { read: 33, 'not asked': 7 }],
  ['150,000 readings', sixtyThousand(reading), 1, { read: 3, 'not asked': 37 }],
  // Three of them reach the limit, while three others are under way.
  ['150,000 readings', sixtyThousand(reading), 4, { read: 6, 'not asked': 34 }],
  ['150,000 readings, to the last one', many(reading, 75_000), 1, { read: 2, 'not asked': 38 }],
  ['150,000 items', sixtyThousand('{"systolic":120}'), 1, { read: 3, 'not asked': 37 }],
])('[4.12] beyond %s nothing more of a Pod is asked for', async (_, text, atOnce, expected) => {
  const files = Array.from({ length: 40 }, (_, nth) => fileOf(nth));
  const { answers, asked } = await answersOf(files, text, { 'wac-allow': 'user="read"' }, atOnce);
  const counts: Record<string, number> = {};
  for (const outcome of answers) {
    const kind = outcome.kind === 'read' ? 'read' : outcome.because;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  // What was asked for counts, and what was not keeps the Pod from counting: no part passes for the whole.
  expect(counts).toEqual(expected);
  expect(asked).toHaveLength(expected.read);
});

/** The parser takes such a text in hundreds of pieces. */
const longText = '<#a> <#b> "c".\n'.repeat(300_000);
const stopped = new Error('Everybody has hung up.');

test.each([
  ['the time is over', (deadline: Deadline) => deadline.endWithin(0), { because: 'not asked' }],
  ['of a Cancel', (_: Deadline, stop: AbortController) => stop.abort(stopped), stopped],
])('[T5] a file that is being read when %s', async (_, end, expected) => {
  const stop = new AbortController();
  const deadline = new Deadline(Number.POSITIVE_INFINITY, stop.signal);
  const client = {
    request(url: string) {
      setImmediate(() => end(deadline, stop));
      return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(longText), url });
    },
    close: () => Promise.resolve(),
  };
  const reader = new FilesReader({ client }, readTask().rules);
  const answers = reader.readPart([fileOf(0)], { atOnce: 1, deadline });
  if (expected === stopped) await expect(answers).rejects.toBe(stopped);
  else expect(await answers).toMatchObject([expected]);
});

const full = sixtyThousand(reading);
const shared = { 'wac-allow': 'user="read",public=""' };

test.each([
  ['refused', 403, 'refused'],
  ['given', 200, 'not asked'],
  ['given, and small', 204, 'not asked'],
])(
  '[4.3][4.12] beyond that, what was refused is asked for its status alone: it is %s',
  async (_, status, expected) => {
    const asked: (number | undefined)[] = [];
    const client: SolidClient = {
      request(url, { maxBytes } = {}) {
        asked.push(maxBytes);
        const isLast = url === fileOf(9).url;
        if (isLast && status === 200) {
          return Promise.reject(new ServerError('too-large', 'It is.', { url }));
        }
        const body = Buffer.from(isLast ? reading : full);
        return Promise.resolve({ status: isLast ? status : 200, headers: shared, body, url });
      },
      close: () => Promise.resolve(),
    };
    const task = readTask();
    const reader = new FilesReader({ client }, task.rules);
    const asking = { atOnce: 1, deadline: task.time.reading };
    await reader.readPart([fileOf(0), fileOf(1), fileOf(2)], asking);
    const [outcome] = await reader.readPart([fileOf(9)], { ...asking, isAgain: true });
    expect(outcome).toMatchObject({ because: expected });
    expect(asked).toEqual([...Array<number>(3).fill(6 * MEGABYTES), 0]);
  },
);

test('[4.3] pages about errors fill no Pod, however many addresses strangers name in it', async () => {
  const client: SolidClient = {
    request: (url) =>
      Promise.resolve({ status: 404, headers: {}, body: Buffer.alloc(20 * MEGABYTES), url }),
    close: () => Promise.resolve(),
  };
  const task = readTask();
  const reader = new FilesReader({ client }, task.rules);
  const files = Array.from({ length: 10 }, (_, nth) => fileOf(nth));
  const answers = await reader.readPart(files, { atOnce: 1, deadline: task.time.reading });
  expect(answers.filter((outcome) => isFor(outcome, 'refused'))).toHaveLength(10);
});

/** Only a file that is published ends its share. */
test.each<[string, Record<string, string>, boolean]>([
  ['that everybody may read', { 'wac-allow': 'user="read",public="read"' }, true],
  ['that only some may read', { 'wac-allow': 'user="read",public=""' }, false],
  ['of a server that does not say who may read it', {}, false],
])('a file %s, and that no entry names any more', async (_, headers, isPublished) => {
  const { answers } = await answersOf([{ ...fileOf(0), isNamed: false }], reading, headers);
  const [outcome] = answers;
  expect(outcome && isFor(outcome, 'published')).toBe(isPublished);
});

test('a file in which the last thread ended is not asked for', async () => {
  onTestFinished(spareNothing);
  const noted = createInHand();
  noteInHand(noted);
  const files = [fileOf(0), fileOf(1)];
  const left = fileOf(0).url;
  const room = Buffer.from(noted);
  room.writeUInt16LE(room.write(left, 2), 0);
  noteInHand(noted);
  const { answers, asked } = await answersOf(files, reading, { 'wac-allow': 'user="read"' });
  expect(answers).toMatchObject([{ because: 'not asked' }, { kind: 'read' }]);
  expect(asked).toEqual([fileOf(1).url]);
});

const plain = { 'wac-allow': 'user="read",public=""' };

test.each([
  ['is served', true, 1],
  ['is not served', false, 0],
])('the readings of a Pod that %s are kept, or only their sums', async (_, isServed, count) => {
  const { answers } = await answersOf([{ ...fileOf(0), isServed }], reading, plain);
  expect(answers).toMatchObject([{ kind: 'read', sums: { count: 1 } }]);
  expect(
    answers.flatMap((outcome) => ('readings' in outcome ? outcome.readings : [])),
  ).toHaveLength(count);
});

test('[4.14] a reading without a time has that of the name of its file, and none of a folder', async () => {
  const named = (path: string) => ({ ...fileOf(0), url: `${root}app/${path}`, isServed: true });
  const files = [
    named('2026-08-19T09-15-00/1.json.enc.ttl'),
    named('data/2026-08-19T09-15-00.json.enc.ttl'),
  ];
  const { answers } = await answersOf(files, reading, plain);
  const times = answers.map((outcome) =>
    'readings' in outcome ? outcome.readings[0]?.time : null,
  );
  expect(times).toEqual([null, Date.UTC(2026, 7, 19, 9, 15)]);
});

test('a file that is too large is told as such while the Pod has room, and counts for nothing', async () => {
  const client: SolidClient = {
    request: (url) => Promise.reject(new ServerError('too-large', 'It is.', { url })),
    close: () => Promise.resolve(),
  };
  const task = readTask();
  const reader = new FilesReader({ client }, task.rules);
  expect(reader.filesPerPart()).toBe(1);
  const asking = { atOnce: 1, deadline: task.time.reading };
  expect(await reader.readPart([fileOf(0)], asking)).toMatchObject([{ because: 'too large' }]);
});

test('[T34] a file that lies in the storage of another does not count', async () => {
  const { owner } = fileOf(0);
  const link =
    '<https://pods.example/eve/.well-known/solid>; rel="http://www.w3.org/ns/solid/terms#storageDescription"';
  const files = [{ ...fileOf(0), owner: { ...owner, rootIs: 'likely' as const } }, fileOf(1)];
  const { answers } = await answersOf(files, reading, { ...plain, link });
  expect(answers).toMatchObject([{ because: 'other answer' }, { kind: 'read' }]);
});
