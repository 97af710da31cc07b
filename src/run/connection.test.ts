import { expect, test } from 'vitest';
import { securityKeyOf } from '../../test/simulation/people/person.js';
import { publishers, publishingOf } from '../../test/support/publishing.js';
import { rekeyPod } from '../../test/support/rekeyed-pod.js';

const { signal: never } = new AbortController();

async function connected() {
  const { analyser } = await publishers();
  const { connection } = publishingOf(analyser, analyser.client);
  return { analyser, connection };
}

test('[1.10][T41] keys that the app has sealed anew are taken with the next analysis, and the earlier ones are forgotten', async () => {
  const { analyser, connection } = await connected();
  const { pod, opener, memory } = connection;
  await connection.renew(never);
  expect(connection.pod).toBe(pod);
  expect([connection.opener, connection.memory]).toEqual([opener, memory]);
  const masterKey = Buffer.from(pod.masterKey);
  await rekeyPod(analyser, securityKeyOf('analyser'));
  await connection.renew(never);
  expect(connection.pod.masterKey.equals(masterKey)).toBe(false);
  expect(pod.masterKey).toEqual(Buffer.alloc(masterKey.length));
  expect(connection.opener).not.toBe(opener);
  expect(connection.memory).not.toBe(memory);
});

test('a new security key that the service does not have yet is a matter of keys', async () => {
  const { analyser, connection } = await connected();
  await rekeyPod(analyser, 'another security key');
  await expect(connection.renew(never)).rejects.toMatchObject({
    kind: 'keys',
    message: expect.stringContaining('does not match'),
  });
});
