import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSolidClient } from '../../src/solid/http-solid-client.js';
import type { HttpSolidClient } from '../../src/solid/solid-client.js';
import { type FaultProxy, type ProxiedServer, startProxiedServer } from '../support/fault-proxy.js';

let server: ProxiedServer;
let proxy: FaultProxy;
let client: HttpSolidClient;
beforeAll(async () => {
  server = await startProxiedServer();
  proxy = server.proxy;
});
beforeEach(() => {
  proxy.heal();
  proxy.forget();
  client = createSolidClient({ serverUrl: proxy.baseUrl, credentials: null });
});
afterAll(() => server.stop());

const refusal = { kind: 'answer', status: 429 } as const;
const file = () => `${proxy.baseUrl}some/file`;

test('a file that a server refuses thirty times, while it answers others, is not lost', async () => {
  proxy.inject({ when: ({ url }) => url === file(), times: 30, fault: refusal });
  const done = new AbortController();
  const others = (async () => {
    while (!done.signal.aborted) {
      await client.request(proxy.baseUrl);
      await pause(10);
    }
  })();
  expect((await client.request(file())).status).toBeLessThan(500);
  done.abort();
  await others;
  expect(proxy.requests.filter(({ url }) => url === file())).toHaveLength(31);
  await client.close();
});

test('a server that refuses everything is asked eight times, as the code says', async () => {
  proxy.inject({ when: () => true, fault: refusal });
  await expect(client.request(file())).rejects.toMatchObject({ failure: 'unavailable' });
  expect(proxy.requests).toHaveLength(8);
  await client.close();
});

test('one that refuses a single file for ever holds its reader no longer than they wait', async () => {
  proxy.inject({ when: ({ url }) => url === file(), fault: refusal });
  const patience = AbortSignal.timeout(3_000);
  const asked = client.request(file(), { signal: patience });
  const others = (async () => {
    while (!patience.aborted) {
      await client.request(proxy.baseUrl);
      await pause(10);
    }
  })();
  await expect(asked).rejects.toThrow(/timeout/);
  await others;
  await client.close();
});
