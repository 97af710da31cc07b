/**
 * The round trip of the app against an installed Community Solid Server of another version, by hand:
 *
 *   npx tsx test/other-version.ts FOLDER [--node NODE] [--config CONFIG]
 *
 * FOLDER has node_modules/@solid/community-server; CONFIG is one of the files in its config folder,
 * without .json (default: file); NODE runs it, where it wants another version than ours.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import {
  type AnalysisOutcome,
  addReadings,
  initialiseOwnPod,
  listReadings,
  type OwnPod,
  parseNewReading,
  revokeReadings,
  runAnalysis,
} from '../src/client/client.js';
import { findFreePort } from '../src/embedded-server/embedded-server.js';
import { startAnalyserService } from './support/analyser-service.js';
import type { InitialisedPod } from './support/initialised-pod.js';
import { createPod, type TestPod } from './support/solid-server.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    node: { type: 'string', default: process.execPath },
    config: { type: 'string', default: 'file' },
  },
});
const [folder = '.'] = positionals;
const packageFolder = resolve(folder, 'node_modules/@solid/community-server');
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')));
const isOlder = Number.parseInt(version, 10) < 7;
/** Before version 7 a new server asked to be set up first. */
const setUp = () => post('setup', { initialize: false, registration: false });
const registered = z.object({ webId: z.string(), podBaseUrl: z.string() });
const issued = z.object({ id: z.string(), secret: z.string() });
const port = await findFreePort();
const baseUrl = `http://localhost:${port}/`;
const data = await mkdtemp(join(tmpdir(), 'bp-other-version-'));
const server = spawn(
  values.node,
  [
    join(packageFolder, 'bin/server.js'),
    ...['--config', join(packageFolder, `config/${values.config}.json`)],
    ...['--port', `${port}`, '--baseUrl', baseUrl, '--rootFilePath', data],
    ...['--loggingLevel', 'error'],
  ],
  { stdio: ['ignore', 'inherit', 'inherit'] },
);
const ended = once(server, 'exit');
try {
  await untilItAnswers();
  await roundTrip();
  console.log(`Community Solid Server ${version} (${values.config}): works.`);
} finally {
  server.kill();
  await ended;
  await rm(data, { recursive: true });
}

async function untilItAnswers(): Promise<void> {
  for (let tried = 0; tried < 240; tried += 1) {
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}.`);
    const answer = await fetch(`${baseUrl}.well-known/openid-configuration`).catch(() => null);
    if (answer?.ok === true) return;
    await pause(500);
  }
  throw new Error('The server gave no answer within two minutes.');
}

async function roundTrip(): Promise<void> {
  const analyserPod = await createPerson('analyser');
  const own = await createPerson('alice');
  const service = await startAnalyserService({ baseUrl }, analyserPod);
  const { analyser } = service;
  try {
    const values = { timestamp: '2026-08-19T09:15:00', systolic: '118', diastolic: '76' };
    await addReadings(own, [parseNewReading(values)]);
    const outcome = await runAnalysis(own, analyser);
    expectThat('the figures come back', systolicOf(outcome) === 118, outcome);
    expectThat('a second analysis works', systolicOf(await runAnalysis(own, analyser)) === 118);
    const revoked = await revokeReadings(own, analyser.analyserWebId);
    expectThat('the share is taken back', revoked === (await listReadings(own)).length);
    const without = await runAnalysis(own, analyser, { confirm: () => false });
    expectThat('nothing is shared unasked', without.kind === 'declined');
  } finally {
    await service.stop();
    await own.close();
    await analyserPod.close();
  }
}

async function createPerson(name: string): Promise<Omit<InitialisedPod, 'client'> & OwnPod> {
  const account = isOlder ? await register(name) : await createPod({ baseUrl }, name);
  const securityKey = `a long sentence of ${name}`;
  const { webId } = account;
  const settings = { webId, securityKey, credentials: account, serverUrl: baseUrl };
  const own = await initialiseOwnPod(settings);
  return { ...own, account, securityKey };
}

/** Before version 7 accounts were made at another address, and not by the account interface. */
async function register(name: string): Promise<TestPod> {
  const login = { email: `${name}@pods.example`, password: 'a password that is long' };
  if (name === 'analyser') await setUp().catch(() => undefined);
  const pod = registered.parse(
    await post('idp/register/', {
      ...{ ...login, confirmPassword: login.password, podName: name },
      ...{ createWebId: true, register: true, createPod: true },
    }),
  );
  const { id, secret } = issued.parse(await post('idp/credentials/', { ...login, name }));
  const credentials = { clientId: id, clientSecret: secret };
  return { webId: pod.webId, root: pod.podBaseUrl, ...login, ...credentials, resource: '' };
}

async function post(path: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const answer = await fetch(`${baseUrl}${path}`, {
    ...{ method: 'POST', headers, body: JSON.stringify(body) },
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status} ${text}`);
  return JSON.parse(text);
}

function systolicOf(outcome: AnalysisOutcome): number | null {
  return outcome.kind === 'completed' ? outcome.result.average.systolic : null;
}

function expectThat(what: string, isSo: boolean, found: unknown = null): void {
  if (!isSo) throw new Error(`Not so: ${what}. ${JSON.stringify(found)}`);
  console.log(`${what}: yes`);
}
