import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { listen } from '../../test/support/listen.js';
import { answerClientError } from './http-problem.js';

test.each([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_INVALID_METHOD', 400],
])('%s is answered %i with a reason', async (code, status) => {
  const server = createServer((socket) => {
    answerClientError(Object.assign(new Error(''), { code }), socket);
  });
  const answer = await text(connect(await listen(server)));
  server.close();
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toContain(`HTTP/1.1 ${status} `);
  expect(head).toContain(`content-length: ${body.length}`);
  expect(JSON.parse(body)).toEqual({ detail: expect.any(String) });
});
