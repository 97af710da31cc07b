import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findFreePort } from '../src/embedded-server/embedded-server.js';
import { putDocument } from '../src/solid/documents.js';
import { createSolidClient } from '../src/solid/http-solid-client.js';
import { startAnalyserService } from './support/analyser-service.js';
import { appEnv } from './support/app-env.js';
import { runMode } from './support/command-line.js';
import { startConfiguredServer } from './support/configured-server.js';
import { createInitialisedPod } from './support/initialised-pod.js';
import { createPod } from './support/solid-server.js';
import { newFolder } from './support/temp-folder.js';

const port = await findFreePort();
const server = await startConfiguredServer({ port, baseUrl: `http://localhost:${port}/solid/` });
const account = await createPod(server);

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
  const cwd = await newFolder();
  const env = appEnv(account);
  expect(await runMode(['app', 'init'], { cwd, env })).toMatchObject({ code: 0, err: '' });
  const values = ['--systolic', '120', '--diastolic', '80'];
  expect(await runMode(['app', 'add', ...values], { cwd, env })).toMatchObject({ code: 0 });

  const analyser = await createInitialisedPod(server);
  const { port } = await startAnalyserService(server, analyser);
  const where = ['--analyser', analyser.pod.webId, '--grpc', `127.0.0.1:${port}`];
  const analysed = await runMode(['app', 'analyse', '--yes', ...where], { cwd, env });
  expect(analysed).toMatchObject({
    code: 0,
    out: expect.stringContaining('average               120.0'),
  });

  const owner = createSolidClient({ serverUrl: server.baseUrl, credentials: account });
  const profile = account.webId.replace('#me', '');
  await putDocument(owner, profile, '<#me> a <http://xmlns.com/foaf/0.1/Person>.');
  await owner.close();
  const unnamed = await runMode(['app', 'list'], { cwd, env });
  expect(unnamed.code).toBe(4);
  expect(unnamed.err).toContain(`server_url in ${join(cwd, 'app.yaml')} names another.`);
});
