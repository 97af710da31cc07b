import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type EmbeddedServer, findFreePort } from '../src/embedded-server/embedded-server.js';
import { putDocument } from '../src/solid/documents/write-document.js';
import { createSolidClient } from '../src/solid/http-solid-client.js';
import { startAnalyserService } from './support/analyser-service.js';
import { appEnv } from './support/app-env.js';
import { runMode } from './support/command-line.js';
import { startConfiguredServer } from './support/configured-server.js';
import { createInitialisedPod } from './support/initialised-pod.js';
import { createPod, type TestPod } from './support/solid-server.js';
import { folderForAll } from './support/temp-folder.js';

const folder = folderForAll();
let server: EmbeddedServer;
let account: TestPod;

beforeAll(async () => {
  const port = await findFreePort();
  server = await startConfiguredServer({ port, baseUrl: `http://localhost:${port}/solid/` });
  account = await createPod(server);
}, 120_000);

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

test('the modes of the app find it by the profile, and where that does not tell, name the key', async () => {
  const cwd = folder();
  const { webId } = account;
  const env = appEnv(account);
  expect(await runMode(['app', 'init'], { cwd, env })).toMatchObject({ code: 0, err: '' });
  expect(await runMode(['app', 'list'], { cwd, env })).toMatchObject({ code: 0 });

  const analyser = await createInitialisedPod(server);
  const service = await startAnalyserService(server, analyser);
  const grpc = `grpc: { host: 127.0.0.1, port: ${service.port} }`;
  await writeFile(
    join(cwd, 'app.yaml'),
    `analyser: { web_id: '${analyser.pod.webId}' }\n${grpc}\n`,
  );
  const values = ['--systolic', '120', '--diastolic', '80'];
  expect(await runMode(['app', 'add', ...values], { cwd, env })).toMatchObject({ code: 0 });
  const analysed = await runMode(['app', 'analyse', '--yes'], { cwd, env });
  expect(analysed.out).toContain('your average               120.0');
  expect(analysed.code).toBe(0);

  const owner = createSolidClient({ serverUrl: server.baseUrl, credentials: account });
  await putDocument(owner, webId.replace('#me', ''), '<#me> a <http://xmlns.com/foaf/0.1/Person>.');
  await owner.close();
  const unnamed = await runMode(['app', 'list'], { cwd, env });
  expect(unnamed.code).toBe(4);
  expect(unnamed.err).toContain(`server_url in ${join(cwd, 'app.yaml')} names another.`);
});
