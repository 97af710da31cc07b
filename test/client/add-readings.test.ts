import { describe, expect, test } from 'vitest';
import {
  addReadings,
  parseNewReading,
  readingAddress,
  readReadings,
} from '../../src/client/client.js';
import { readingsFolder } from '../../src/client/readings.js';
import { writeEncryptedResources } from '../../src/pod/write-resource.js';
import { putDocument } from '../../src/solid/documents.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';

const server = sharedSolidServer();
const own = await createInitialisedPod(server);

const reading = (
  time: string,
  systolic: number,
  other: { heartRate?: string; notes?: string } = {},
) =>
  parseNewReading({
    timestamp: `2026-08-${time}`,
    systolic: String(systolic),
    diastolic: '80',
    ...other,
  });

describe('readings that are in the Pod already', () => {
  const first = reading('19T09:15:00', 120, { heartRate: '60', notes: 'left arm' });
  const second = reading('20T09:15:00', 125);

  test('stay as they are, and those with other values are told apart', async () => {
    const urlOf = ({ timestamp }: { timestamp: string }) => readingAddress(own, timestamp);
    const all = { added: [first, second].map(urlOf), alreadyThere: [], otherThere: [] };
    expect(await addReadings(own, [first, second])).toEqual(all);
    const again = { added: [], alreadyThere: [first, second].map(urlOf), otherThere: [] };
    expect(await addReadings(own, [first, second])).toEqual(again);

    const progress: [number, number][] = [];
    const third = reading('21T09:15:00', 130);
    const onProgress = (done: number, of: number) => progress.push([done, of]);
    const less = reading('19T09:15:00', 120);
    expect(
      await addReadings(own, [less, reading('20T09:15:00', 126), third], { onProgress }),
    ).toEqual({
      added: [urlOf(third)],
      alreadyThere: [urlOf(first)],
      otherThere: [urlOf(second)],
    });
    expect(progress).toEqual([1, 2, 3].map((done) => [done, 3]));
    expect((await readReadings(own)).map((one) => one.reading?.systolic)).toEqual([120, 125, 130]);
  });

  test.each([
    ['another upper value', reading('19T09:15:00', 121)],
    ['another heart rate', reading('19T09:15:00', 120, { heartRate: '61' })],
    ['other notes', reading('19T09:15:00', 120, { notes: 'right arm' })],
    ['a heart rate where there is none', reading('20T09:15:00', 125, { heartRate: '60' })],
  ])('with %s, one is another', async (_what, asked) => {
    expect(await addReadings(own, [asked])).toMatchObject({ added: [], alreadyThere: [] });
  });

  test('a file that does not open is not taken for the reading', async () => {
    const url = readingAddress(own, '2026-08-22T09:15:00.000');
    await writeEncryptedResources(own.client, own.pod, [{ url, content: 'nothing' }]);
    expect(await addReadings(own, [reading('22T09:15:00', 120)])).toMatchObject({
      otherThere: [url],
    });
  });
});

test('two readings of one second are refused, with equal values they are one', async () => {
  const one = reading('23T09:15:00.100', 120);
  const other = reading('23T09:15:00.900', 121);
  await expect(addReadings(own, [reading('23T09:16:00', 120), one, other])).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringMatching(
      /^timestamp: two readings of 2026-08-23T09:15:00 have different/,
    ),
  });
  const { added } = await addReadings(own, [one, { ...other, systolic: 120 }]);
  expect(added).toEqual([readingAddress(own, one.timestamp)]);
});

test('of a file with several readings all are read, each with its notes', async () => {
  const owner = await createInitialisedPod(server);
  const entry = (day: number, notes: string) => ({
    timestamp: `2026-08-${day}T09:15:00.000`,
    responses: { systolic: 100 + day, diastolic: 80, heart_rate: 60, notes },
  });
  const file = (name: string, content: unknown) => ({
    url: `${readingsFolder(owner)}${name}.json.enc.ttl`,
    content: JSON.stringify(content),
  });
  await writeEncryptedResources(owner.client, owner.pod, [
    file('a', [entry(10, 'one'), entry(11, ''), entry(12, 'three')]),
    file('b', [entry(13, 'one'), { systolic: 5 }, entry(14, 'three')]),
    file('c', [{ systolic: 5 }]),
  ]);
  // As the app does when its owner shares a file with everybody.
  const plain = file('d', [entry(15, 'plain')]);
  await putDocument(owner.client, plain.url, plain.content, { contentType: 'text/plain' });
  await putDocument(owner.client, file('e', '').url, 'a page', { contentType: 'text/plain' });
  expect(
    (await readReadings(owner)).map(({ url, reading, notes, problem }) => [
      url.slice(readingsFolder(owner).length),
      reading?.systolic,
      notes || problem,
    ]),
  ).toEqual([
    ['a.json.enc.ttl', 110, 'one'],
    ['a.json.enc.ttl', 111, ''],
    ['a.json.enc.ttl', 112, 'three'],
    ['b.json.enc.ttl', 113, ''],
    ['b.json.enc.ttl', 114, ''],
    ['c.json.enc.ttl', undefined, 'it holds no complete reading'],
    ['d.json.enc.ttl', 115, 'plain'],
    ['e.json.enc.ttl', undefined, expect.stringContaining('is not a Turtle document')],
  ]);
});
