import { expect, test } from 'vitest';
import { initialisePod } from '../../src/pod/initialise-pod.js';
import { unlockPod } from '../../src/pod/unlock-pod.js';
import { runMode } from '../support/command-line.js';
import { writeConfigFile } from '../support/config-file.js';
import { startConfiguredServer } from '../support/configured-server.js';
import { createContributor, weekly } from '../support/contributor.js';
import { startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { memoryAddress } from '../support/memory-of.js';
import { openClient } from '../support/open-client.js';
import { createPod } from '../support/solid-server.js';
import { newFolder } from '../support/temp-folder.js';
import { noCharts, startTestRuns } from '../support/test-runs.js';

test('a server with Access Control Policies is refused when a Pod there is set up, before anything is written', async () => {
  const server = await startConfiguredServer({ access: 'acp' });
  const account = await createPod(server);
  const client = openClient({ serverUrl: server.baseUrl, credentials: account });
  const pod = { webId: account.webId, appDir: 'app', securityKey: 'a security key' };
  await expect(initialisePod(client, pod)).rejects.toThrow(/Web Access Control/);
  expect((await client.request(`${account.root}app/`)).status).toBe(404);
});

test('a storage server that changes to other rules is a finding of check and keeps the result from being published with that reason', async () => {
  const site = await startProxiedServer();
  const analyser = await createInitialisedPod(site);
  const caller = await createContributor(site, analyser, weekly([120, 80, 60]));
  const client = openClient({ serverUrl: site.baseUrl, credentials: analyser.account });
  const { encKeys } = analyser.pod.documents;
  const link = `<${encKeys}.acr>; rel="acl"`;
  site.proxy.inject({
    when: ({ url }) => url === encKeys,
    fault: { kind: 'headers', values: { link } },
  });
  const folder = await newFolder();
  await writeConfigFile(folder, analyser, { grpc: { host: '127.0.0.1' } });
  const { code, out } = await runMode(['check'], { cwd: folder });
  expect(code).toBe(1);
  expect(out).toMatch(/^Findings +1\n.*does not keep its rules of access in documents called/m);

  site.proxy.forget();
  const { webId } = analyser.account;
  const pod = await unlockPod(client, {
    webId,
    appDir: analyser.pod.appDir,
    securityKey: analyser.securityKey,
  });
  const runs = await startTestRuns(site, { ...analyser, pod }, noCharts, { client });
  const report = await runs.ask(caller);
  expect(report).toMatchObject({ status: 'COMPLETED', published: false });
  expect(report.message).toContain('Web Access Control');
  const writes = site.proxy.requests.filter(
    ({ method, url }) => (method === 'PUT' || method === 'PATCH') && !url.includes('/.oidc/'),
  );
  // Nothing but what the Analyser remembers, which is for nobody else.
  const own = [memoryAddress(analyser), analyser.pod.documents.indKeys];
  expect(writes.filter(({ url }) => !own.includes(url))).toEqual([]);
});
