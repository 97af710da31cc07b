import { connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { serve } from '../grpc/serve.js';
import { listen } from '../support/listen.js';
import { passThrough } from './pass-through.js';
import { callWeb } from './web-caller.js';

test('a service of which nothing arrives any more is given up, and found again', async () => {
  await using service = await serve();
  const sockets: Socket[] = [];
  let passesOn = true;
  const relay = createServer((inner) => {
    const outer = connect(service.server.port, '127.0.0.1');
    sockets.push(inner, outer);
    inner.on('data', (data) => passesOn && outer.write(data)).on('error', () => undefined);
    outer.on('data', (data) => passesOn && inner.write(data)).on('error', () => undefined);
  });
  await using proxy = await passThrough(await listen(relay));
  const status = async () => (await callWeb(proxy.url, 'Status')).grpcStatus;
  try {
    expect(await status()).toBe('0');
    passesOn = false;
    expect(await status()).toBe('14');
    passesOn = true;
    expect(await status()).toBe('0');
  } finally {
    for (const socket of sockets) socket.destroy();
    relay.close();
  }
});
