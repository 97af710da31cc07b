import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callCancel, callStatus } from '../../src/client/calls.js';
import { dial } from '../../src/client/dial.js';
import { CancelStatus } from '../../src/generated/healthpod/analyser/v1/analyser.js';
import { startAnalyserService } from '../support/analyser-service.js';
import { startCommand, waitForEnd } from '../support/child-process.js';
import { writeConfigFile } from '../support/config-file.js';
import { createContributor, weekly } from '../support/contributor.js';
import { type ProxiedServer, startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { collectOwn } from '../support/published.js';

let site: ProxiedServer;
let analyser: InitialisedPod;
let anna: InitialisedPod;
let folder: string;

beforeAll(async () => {
  site = await startProxiedServer();
  analyser = await createInitialisedPod(site);
  anna = await createContributor(site, analyser, weekly([120, 80, 60]));
  folder = await mkdtemp(join(tmpdir(), 'bp-once-'));
  await writeConfigFile(folder, analyser);
}, 120_000);
afterAll(async () => {
  await Promise.all([anna.close(), analyser.close()]);
  await site.stop();
  await rm(folder, { recursive: true });
});

test('a Cancel finds nothing of a run-once, which goes on and serves everybody', async () => {
  const service = await startAnalyserService(site, analyser);
  const connection = dial(service.analyser.service);
  let letGo: () => void = () => undefined;
  const until = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const held = site.proxy.inject({
    when: ({ url }) => url.includes('/data/blood_pressure/'),
    fault: { kind: 'hold', until },
  });
  const ended = waitForEnd(startCommand(['run-once'], { cwd: folder }));
  await held.hit();
  const cancelled = await callCancel(connection, anna.pod.webId);
  const { active_runs } = await callStatus(connection);
  letGo();
  expect(cancelled.status).toBe(CancelStatus.CANCEL_STATUS_NOTHING_RUNNING);
  expect(active_runs).toBe(0);
  const { code, out } = await ended;
  expect(code).toBe(0);
  expect(out).toMatch(/^results shared +2$/m);
  const { average } = await collectOwn(analyser, anna);
  expect(average).toEqual({ systolic: 120, diastolic: 80, heart_rate: 60 });
  connection.close();
  await service.stop();
}, 120_000);
