import { expect, test } from 'vitest';
import { readTask } from '../../../test/support/readings-of.js';
import { FilesReader } from './read-files.js';

const root = 'https://pods.example/mallory/';
const MEGABYTES = 2 ** 20;

test('of one Pod, 128 MB are read in all', async () => {
  // A file as large as one may be, with a single reading.
  const body = Buffer.alloc(4 * MEGABYTES, ' ');
  body.write('{"systolic":120,"diastolic":80}');
  let asked = 0;
  const client = {
    request(url: string) {
      asked += 1;
      const headers = { 'wac-allow': 'user="read",public=""' };
      return Promise.resolve({ status: 200, headers, body, url });
    },
    close: () => Promise.resolve(),
  };
  const task = readTask();
  const reader = new FilesReader({ client }, task);
  const owner = {
    root,
    webId: `${root}profile/card#me`,
    podId: 'mallory',
    rootIs: 'certain' as const,
  };
  const files = Array.from({ length: 40 }, (_, nth) => ({
    url: `${root}app/data/blood_pressure/${nth}.json.enc.ttl`,
    owner,
    keys: [],
    folder: null,
    isNamed: true,
    isKnown: true,
  }));
  const readings = await reader.readPart(files, { atOnce: 1, deadline: task.time.reading });
  const kinds = readings.map(({ outcome }) => outcome.kind);
  expect(kinds).toEqual([...Array(32).fill('read'), ...Array(8).fill('not read')]);
  // One more, which tells that it is too much. What comes after it is not asked for, so no part passes for the whole.
  expect(asked).toBe(33);
  expect(readings.at(-1)?.outcome).toMatchObject({ because: 'not asked' });
});
