import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type EmbeddedServer,
  findFreePort,
  startEmbeddedServer,
} from '../src/embedded-server/embedded-server.js';
import { createSolidClient } from '../src/solid/http-solid-client.js';
import { createPod, type TestPod } from './support/solid-server.js';

let server: EmbeddedServer;
let account: TestPod;

beforeAll(async () => {
  const port = await findFreePort();
  server = await startEmbeddedServer({ port, baseUrl: `http://localhost:${port}/solid/` });
  account = await createPod(server);
}, 120_000);
afterAll(() => server.stop());

test('a server below a path works when server_url names the path, and else the login says so', async () => {
  const right = createSolidClient({ serverUrl: server.baseUrl, credentials: account });
  await right.login();
  expect((await right.request(account.root)).status).toBe(200);
  await right.close();

  const serverUrl = new URL('/', server.baseUrl).href;
  const wrong = createSolidClient({ serverUrl, credentials: account });
  await expect(wrong.login()).rejects.toThrow(
    /does not know itself by that name: use the address in its own configuration \(its base URL\), to the letter\.$/,
  );
  await wrong.close();
});
