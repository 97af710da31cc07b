import { readdirSync, statSync, utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shareResources } from '../src/pod/sharing/share.js';
import { prepareCheckTests } from './support/check-tests.js';
import { createContributor, weekly } from './support/contributor.js';
import { createInitialisedPod } from './support/initialised-pod.js';
import { sharedSolidServer } from './support/solid-server.js';

const run = prepareCheckTests();

test('a Pod that is as it should be has no findings, and nothing is made or removed on this machine', async () => {
  const analyser = await createInitialisedPod(sharedSolidServer());
  await run.check(analyser);
  // Whatever is made in a folder, even for a moment, changes its time.
  utimesSync(run.folder, 0, 0);
  expect(await run.check(analyser)).toMatchObject({
    code: 0,
    errors: [],
    lines: expect.arrayContaining(['Ready, 0 Pods, 0 files, 0 findings']),
    findings: 'Findings              none',
  });
  expect(readdirSync(run.folder)).toEqual(['config.yaml']);
  expect(statSync(run.folder).mtimeMs).toBe(0);
});

test('shares of files and of folders, each of them, as JSON', async () => {
  const server = sharedSolidServer();
  const analyser = await createInitialisedPod(server);
  const readings = weekly([120, 80, 60], [130, 84, 66]);
  const owner = await createContributor(server, analyser, readings);
  const data = `${owner.pod.documents.app}data/blood_pressure/`;
  const recipientWebId = analyser.pod.webId;
  await shareResources(owner.client, owner.pod, { urls: [data], recipientWebId });
  const { code, lines } = await run.check(analyser, {}, { flags: ['--json'] });
  const json: unknown = JSON.parse(lines.join('\n'));
  expect(json).toMatchObject({
    web_id: analyser.pod.webId,
    login: 'ok',
    unlock: 'ok (key derivation version 2)',
    ready: true,
    pods: 1,
    files: 2,
    contributing_pods: [{ web_id: owner.pod.webId, files: 2 }],
    remembered_pods: [],
    findings: [],
  });
  expect(json).toHaveProperty('shared_resources.length', 3);
  expect(json).toHaveProperty(
    'shared_resources',
    expect.arrayContaining([{ kind: 'folder', modes: ['read'], url: data, excluded: false }]),
  );
  expect(code).toBe(0);
});

test('[1.1] a login or an unlock that fails is a finding, told once, and ends with 4 or 3', async () => {
  const analyser = await createInitialisedPod(sharedSolidServer());
  const { account } = analyser;
  const revoked = { ...analyser, account: { ...account, clientSecret: 'none' } };
  const refused = await run.check(revoked);
  expect(refused).toMatchObject({ code: 4, errors: [] });
  expect(refused.lines.at(-1)).toBe('Not ready, 1 finding');
  expect(refused.lines).toContain('Login                 failed');
  expect(refused.findings).toMatch(
    /^Findings {14}1\n {2}The login failed: HTTP 401 .*\/\.account\/, .*config\.env\.$/,
  );

  const wrong = await run.check({ ...analyser, securityKey: 'not the one' });
  expect(wrong).toMatchObject({ code: 3, errors: [] });
  expect(wrong.findings).toMatch(/^Findings {14}1\n {2}The configured security key does not/);
});
