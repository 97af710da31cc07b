import { expect, test } from 'vitest';
import { ServerError } from '../base/errors.js';
import { createSolidClient } from './http-solid-client.js';
import type { Exchange } from './requests/transport.js';

const serverUrl = 'https://pods.example/';
const url = `${serverUrl}anna/one.txt`;

/** A client, and the methods that it sends: no PUT is answered, and each GET says what stands there. */
function clientWhere(stored: { status: number; body: string }) {
  const sent: string[] = [];
  const send = ({ method }: Exchange) => {
    sent.push(method);
    if (method === 'PUT') {
      return Promise.reject(new ServerError('unreachable', 'It was lost.', { url }));
    }
    return Promise.resolve({
      ...stored,
      headers: { etag: '"2"' },
      body: Buffer.from(stored.body),
      url,
    });
  };
  const transport = { send, close: () => Promise.resolve() };
  const policy = { tries: 1 };
  return { client: createSolidClient({ serverUrl, credentials: null, transport, policy }), sent };
}

test('[1.4] a write whose answer was lost is answered with what stands there, if that was written', async () => {
  const { client, sent } = clientWhere({ status: 200, body: 'new' });
  const answer = await client.request(url, { method: 'PUT', body: 'new' });
  expect(answer).toMatchObject({ status: 200, headers: { etag: '"2"' } });
  expect(sent).toEqual(['PUT', 'GET']);
});

test.each([
  ['the earlier text', { status: 200, body: 'old' }],
  ['an error page with the same words', { status: 404, body: 'new' }],
])('[1.4] a write whose answer was lost has failed where %s stands', async (_, stored) => {
  const { client } = clientWhere(stored);
  await expect(client.request(url, { method: 'PUT', body: 'new' })).rejects.toThrow('It was lost.');
});
