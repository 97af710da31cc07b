import { createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listen } from '../../test/support/listen.js';
import { callStatus } from './calls.js';
import { dial } from './dial.js';
import { startTestAnalyser } from './testing.js';

test('[T40] no proxy of the environment is asked, which would see the token', async () => {
  const analyser = await startTestAnalyser('https://pods.example/analyser/profile/card#me');
  let heard = 0;
  const proxy = createServer((socket) => {
    heard += 1;
    socket.destroy();
  });
  const address = `http://127.0.0.1:${await listen(proxy)}`;
  for (const name of ['grpc_proxy', 'http_proxy', 'https_proxy']) vi.stubEnv(name, address);
  for (const name of ['no_grpc_proxy', 'no_proxy']) vi.stubEnv(name, '');
  const connection = dial({ ...analyser.service, token: 'a token' });
  onTestFinished(() => {
    vi.unstubAllEnvs();
    connection.close();
    analyser.stop();
    proxy.close();
  });
  expect(await callStatus(connection, { deadlineMs: 5_000 })).toMatchObject({ ready: true });
  expect(heard).toBe(0);
});
