import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openPort } from './port-error.js';

test('[T42] a port is open at the address that is asked for, and at no other', async () => {
  const server = createServer();
  onTestFinished(() => void server.close());
  const port = await openPort(server, 'metrics', { host: '127.0.0.1', port: 0 });
  expect(server.address()).toMatchObject({ address: '127.0.0.1', port });
});
