import '../support/local-names.mjs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  addReadings,
  initialiseOwnPod,
  listReadings,
  readResult,
  revokeReadings,
  shareReadings,
} from '../../src/client/client.js';
import { findFreePort } from '../../src/embedded-server/embedded-server.js';
import { runMode } from '../support/command-line.js';
import { startConfiguredServer } from '../support/configured-server.js';
import { createPod } from '../support/solid-server.js';
import { newFolder } from '../support/temp-folder.js';

/** Each Pod is a host of its own, as `alice.pods.localhost`. */
const cwd = await newFolder();
const names = new URL('../support/local-names.mjs', import.meta.url).href;
const { NODE_OPTIONS: before = '' } = process.env;
process.env['NODE_OPTIONS'] = `${before} --import ${names}`.trim();
const port = await findFreePort();
const siblings = `http://*.pods.localhost:${port}`;
const baseUrl = `http://pods.localhost:${port}/`;
const server = await startConfiguredServer({ pods: 'subdomains', port, baseUrl });
process.env['NODE_OPTIONS'] = before;

const setUp = () =>
  runMode(['setup', '--server', server.baseUrl, '--email', 'analyser@operators.example'], {
    cwd,
    env: { APP_SETUP_PASSWORD: 'a password that is long' },
  });

test('setup leaves a configuration that works for every Pod of the server', async () => {
  const { code, out, err } = await setUp();
  expect(code, err).toBe(0);
  expect(out).toMatch(/^Findings +2\n.*is not https.*\n {2}Warning: Other machines reach /m);
  const webId = `${siblings.replace('*', 'analyser')}/profile/card#me`;
  const config: unknown = parse(await readFile(join(cwd, 'config.yaml'), 'utf8'));
  expect(config).toMatchObject({
    analyser: { web_id: webId, server_url: server.baseUrl },
    data: { allowed_origins: [siblings] },
  });

  const account = await createPod(server, 'alice');
  expect(account.root).toBe(`${siblings.replace('*', 'alice')}/`);
  const own = await initialiseOwnPod({
    webId: account.webId,
    securityKey: 'a security key',
    credentials: account,
    serverUrl: server.baseUrl,
    allowedOrigins: [new URL(webId).origin],
  });
  const values = { systolic: 120, diastolic: 80, heartRate: 60, notes: '' };
  await addReadings(own, [{ timestamp: '2026-01-05T08:00:00.000', ...values }]);
  await shareReadings(own, webId, await listReadings(own));
  expect(await runMode(['run-once'], { cwd })).toMatchObject({ code: 0 });
  const { average } = await readResult(own, { analyserWebId: webId });
  expect(average).toEqual({ systolic: 120, diastolic: 80, heart_rate: 60 });

  // Taking everything back is believed at once, although no file of this host is left that the server would give.
  await revokeReadings(own, webId);
  expect(await runMode(['run-once'], { cwd })).toMatchObject({ code: 1 });
  const latest: unknown = JSON.parse(await readFile(join(cwd, 'var/results/latest.json'), 'utf8'));
  expect(latest).toMatchObject({ cohort: { pod_count: 0, included_pod_count: 0 } });
  await own.close();
});
