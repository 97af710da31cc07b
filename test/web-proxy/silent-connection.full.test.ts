import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { serve } from '../grpc/serve.js';
import { passThrough } from './pass-through.js';
import { callOverHttp1 } from './web-caller.js';

test('a connection on which nothing arrives any more is given up, and the next call has another', async () => {
  await using service = await serve();
  const pairs: [Socket, Socket][] = [];
  const relay = createServer((inner) => {
    const outer = connect(service.server.port, '127.0.0.1');
    pairs.push([inner, outer]);
    inner.on('data', (data) => outer.write(data)).on('error', () => undefined);
    outer.on('data', (data) => inner.write(data)).on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const { port } = z.object({ port: z.number() }).parse(relay.address());
  await using proxy = await passThrough(port);
  const status = async () => (await callOverHttp1(proxy.url, 'Status')).grpcStatus;
  try {
    expect(await status()).toBe('0');
    for (const socket of pairs.flat()) socket.removeAllListeners('data').resume();
    expect(await status()).toBe('14');
    expect(await status()).toBe('0');
    expect(pairs).toHaveLength(2);
  } finally {
    for (const socket of pairs.flat()) socket.destroy();
    relay.close();
  }
});
