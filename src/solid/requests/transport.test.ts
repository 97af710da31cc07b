import { randomBytes } from 'node:crypto';
import { createServer as createWebServer } from 'node:http';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { serveUntilEnd } from '../../../test/support/listen.js';
import { allowOrigins } from '../allowed-address.js';
import { createTransport } from './transport.js';

async function failure(address: string): Promise<string> {
  const url = allowOrigins([address])(address);
  const transport = createTransport({});
  try {
    await transport.send({ method: 'GET', url, headers: {}, maxBytes: 1000 });
    return 'an answer';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  } finally {
    await transport.close();
  }
}

async function withServer<T>(greeting: string, use: (port: number) => Promise<T>): Promise<T> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(greeting));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  try {
    return await use(typeof address === 'object' ? (address?.port ?? 0) : 0);
  } finally {
    server.close();
  }
}

test('https to a server that speaks http says so, without a word of OpenSSL', async () => {
  const message = await withServer('HTTP/1.1 400 Bad Request\r\n\r\n', (port) =>
    failure(`https://127.0.0.1:${port}/`),
  );
  expect(message).toMatch(
    /could not be reached: it does not speak TLS; its address may begin with http:\/\/ instead of https:\/\/\.$/,
  );
});

test('http to a server that speaks something else is told in the words of the parser', async () => {
  const message = await withServer('\u0015\u0003\u0001', (port) =>
    failure(`http://127.0.0.1:${port}/`),
  );
  expect(message).toMatch(/could not be reached: .* HTTP\/1\.1 protocol/);
});

test('a name that does not exist and a port where nobody listens are named', async () => {
  expect(await failure('http://no-such-host.invalid/')).toMatch(/: .*no-such-host\.invalid\.$/);
  expect(await failure('http://127.0.0.1:9/')).toBe(
    'http://127.0.0.1:9/ could not be reached: connect ECONNREFUSED 127.0.0.1:9.',
  );
});

test.each([
  ['announced', true],
  ['not announced', false],
])(
  'a body whose length is %s arrives whole, and not beyond what may be read',
  async (_, isAnnounced) => {
    const body = randomBytes(300_000);
    const server = createWebServer((_request, answer) => {
      if (isAnnounced) answer.setHeader('content-length', body.length);
      for (let at = 0; at < body.length; at += 70_000) answer.write(body.subarray(at, at + 70_000));
      answer.end();
    });
    const address = await serveUntilEnd(server);
    const url = allowOrigins([address])(`${address}/`);
    const transport = createTransport({});
    const get = (maxBytes: number) => transport.send({ method: 'GET', url, headers: {}, maxBytes });
    expect((await get(body.length)).body.equals(body)).toBe(true);
    await expect(get(body.length - 1)).rejects.toMatchObject({ failure: 'too-large' });
    await transport.close();
  },
);

test('of a refusal no more than its beginning is read, however much is sent', async () => {
  const page = Buffer.alloc(60_000, 'x');
  const server = createWebServer((_request, response) => void response.writeHead(404).end(page));
  const address = await serveUntilEnd(server);
  const url = allowOrigins([address])(`${address}/`);
  const transport = createTransport({});
  const answer = await transport.send({ method: 'GET', url, headers: {}, maxBytes: 0 });
  expect(answer).toMatchObject({ status: 404, body: page.subarray(0, 4096) });
  await transport.close();
});

test('a request ends with its signal, though its server hangs', async () => {
  const stop = new AbortController();
  const server = createWebServer(() => stop.abort(new Error('It was cancelled.')));
  const address = await serveUntilEnd(server);
  const url = allowOrigins([address])(`${address}/`);
  const transport = createTransport({ timeouts: { answerMs: 2_000 } });
  const exchange = { method: 'GET', url, headers: {}, maxBytes: 0, signal: stop.signal } as const;
  await expect(transport.send(exchange)).rejects.toThrow('It was cancelled.');
  await transport.close();
});
