import { expect, test } from 'vitest';
import { getTurtle, isDirectMember } from './documents.js';
import { stoppedBy } from './solid-client.js';

const FOLDER = 'http://localhost:3000/alice/app/data/';

test.each([
  [`${FOLDER}a.ttl`, true],
  [`${FOLDER}inner/`, true],
  [`${FOLDER}x%3Ay.ttl`, true],
  [FOLDER, false],
  [`${FOLDER}inner/a.ttl`, false],
  [`${FOLDER}../../secret.ttl`, false],
  [`${FOLDER}%2e%2e/`, false],
  [`${FOLDER}..`, false],
  [`${FOLDER}a.ttl?x`, false],
  [`${FOLDER}a.ttl#x`, false],
  ['http://localhost:3000/alice/other.ttl', false],
  ['https://evil.example/alice/app/data/a.ttl', false],
])('%s lies directly inside of the folder: %s', (member, inside) => {
  expect(isDirectMember(member, FOLDER)).toBe(inside);
});

test('[T5] what ends the requests of a client also ends the reading of a document', async () => {
  const [stop, reason] = [new AbortController(), new Error('ten seconds are over')];
  const client = {
    request(url: string) {
      setImmediate(() => stop.abort(reason));
      const body = Buffer.from('<#a> <#b> "c".\n'.repeat(100_000));
      return Promise.resolve({ status: 200, headers: {}, body, url });
    },
    close: () => Promise.resolve(),
  };
  await expect(getTurtle(stoppedBy(client, stop.signal), FOLDER)).rejects.toBe(reason);
});
