import { mkdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createLogger } from '../src/base/logger.js';
import { openChartStore } from '../src/store/chart-store.js';
import { acquireLock } from '../src/store/folder-lock.js';
import { openResultsStore } from '../src/store/results-store.js';
import { forAnalysis, markAnalysisStarted } from '../src/store/state.js';
import { createCheckedClient, send, startApi } from './support/api-client.js';
import { outputBelow } from './support/output-below.js';
import { samplePod, sampleResults } from './support/results-sample.js';
import { newFolder } from './support/temp-folder.js';
import { testBuild } from './support/test-build.js';

const alice = 'localhost:3000-alice';
const bob = 'pods.example.org-bob';
const older = '20260819T091500Z';
const newer = '20260819T091501Z';
const allowed = 'https://dashboard.example.org';

const jsonPaths = [
  '/api/summary',
  '/api/cohort',
  '/api/pods',
  `/api/pods/${alice}`,
  '/api/runs',
  `/api/runs/${newer}`,
  '/api/status',
];

const root = await newFolder();
const output = outputBelow(root);
let logged: string[] = [];

const log = createLogger({ verbose: false, stream: { write: (line) => void logged.push(line) } });
const start = (allowed_hosts: string[] = []) =>
  startApi(output, { allowed_hosts, cors_origins: [allowed], log });

const api = await start();
const client = await createCheckedClient(api.address);

afterEach(async () => {
  logged = [];
  for (const folder of Object.values(output)) await rm(folder, { recursive: true, force: true });
});

const latest = sampleResults(newer, [alice, bob]);

async function writeRuns(): Promise<void> {
  const store = openResultsStore(output.results_dir);
  await store.write(sampleResults(older, [bob]));
  await store.write(latest);
}

test('the OpenAPI document is valid, and has a name for each route and its refusals', async () => {
  const result = await new Validator().validate(structuredClone(client.openApi));
  expect(result).toMatchObject({ valid: true });
  expect(client.openApi).toMatchObject({ openapi: '3.1.0' });
  const route = z.object({
    get: z.object({ operationId: z.string(), responses: z.record(z.string(), z.unknown()) }),
  });
  const routes = z.record(z.string(), route).parse(client.openApi.paths);
  expect(Object.entries(routes).map(([path, { get }]) => [path, get.operationId])).toEqual([
    ['/health', 'getHealth'],
    ['/api/status', 'getStatus'],
    ['/api/summary', 'getSummary'],
    ['/api/cohort', 'getCohort'],
    ['/api/pods', 'listPods'],
    ['/api/pods/{pod_id}', 'getPod'],
    ['/api/pods/{pod_id}/chart.png', 'getPodChart'],
    ['/api/runs', 'listRuns'],
    ['/api/runs/{run_id}', 'getRun'],
  ]);
  for (const [path, { get }] of Object.entries(routes)) {
    const told = Object.keys(get.responses).filter((status) => status.startsWith('4'));
    expect(told, path).toEqual(path.includes('{') ? ['404'] : []);
  }
});

describe('before any run', () => {
  test('no run is listed, the service is idle, and the API says that there are no results', async () => {
    const [runs, health, status] = await Promise.all(
      ['/api/runs', '/health', '/api/status'].map((path) => client.get(path)),
    );
    expect(runs?.json()).toEqual({ runs: [] });
    const idle = { running: null, interrupted: null, last_run: null, last_cancelled: null };
    const state = { time: expect.any(String), analyser: null, ...idle };
    expect(status?.json()).toEqual(state);
    const { version, commit } = testBuild;
    const about = { status: 'ok', version, commit, analyser_web_id: null, has_results: false };
    expect(health?.json()).toEqual({ ...state, ...about });
  });

  const ofRuns = jsonPaths.filter((path) => !['/api/runs', '/api/status'].includes(path));
  test.each([...ofRuns, `/api/pods/${alice}/chart.png`])('%s is 503', async (path) => {
    const answer = await client.get(path);
    expect(answer.status).toBe(503);
    expect(answer.json()).toEqual({ detail: 'No analysis has run yet.' });
  });

  test('the state of the first analysis is known while it runs, however long', async () => {
    const lock = await acquireLock(output.state_dir, 'analysis', { about: forAnalysis });
    const started = new Date('2026-08-19T09:15:00Z');
    const analysis = await markAnalysisStarted(output.state_dir, started, 2);
    await analysis.read({ read: 40, all: 312 });
    const started_at = '2026-08-19T09:15:00.000+00:00';
    expect((await client.get('/api/status')).json()).toMatchObject({
      running: { started_at, callers: 2, files: { read: 40, all: 312 } },
      interrupted: null,
    });

    // Its process is killed: the text of the lock stays, and nobody holds it.
    await lock.unlock();
    await writeFile(join(output.state_dir, 'analysis.lock'), forAnalysis);
    const killed = { running: { started_at }, interrupted: { started_at }, last_run: null };
    expect((await client.get('/api/status')).json()).toMatchObject(killed);

    // Who holds it for other work is not taken for that analysis.
    const other = await acquireLock(output.state_dir, 'analysis');
    expect((await client.get('/api/status')).json()).toMatchObject(killed);
    await other.unlock();
  });

  test('a service that waits for calls is alive, stopped or killed', async () => {
    const service = await acquireLock(output.state_dir, 'service');
    const told = async (state: string) => {
      const analyser = { state, at: expect.stringMatching(/^\d{4}-.+\+00:00$/) };
      expect((await client.get('/api/status')).json()).toMatchObject({ analyser });
      const status = state === 'alive' ? 'ok' : state;
      expect((await client.get('/health')).json()).toMatchObject({ analyser, status });
    };
    await told('alive');
    await service.unlock();
    await told('stopped');
    await writeFile(join(output.state_dir, 'service.lock'), 'process 7');
    await told('killed');
  });
});

describe('after two runs', () => {
  beforeEach(writeRuns);
  const { run_id, generated_at, cohort } = latest;

  test.each([
    ['/api/summary', latest],
    ['/api/cohort', { run_id, generated_at, cohort }],
    ['/api/pods', { run_id, generated_at, pods: [samplePod(alice), samplePod(bob)] }],
    ...[alice, encodeURIComponent(alice)].map((podId): [string, object] => [
      `/api/pods/${podId}`,
      { run_id, generated_at, pod: samplePod(alice), cohort, has_chart: false },
    ]),
    ['/api/runs', { runs: [newer, older] }],
    [`/api/runs/${older}`, sampleResults(older, [bob])],
  ])('%s answers with its body, plain and whole', async (path, body) => {
    const answer = await client.get(path);
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual(body);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(answer.body.length),
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    });
  });

  test('health names the Analyser and how the last analyses ended', async () => {
    const ended = { run_id: newer, status: 'COMPLETED', message: 'Done.' } as const;
    const first = await markAnalysisStarted(output.state_dir, new Date('2026-08-19T09:15:00Z'), 1);
    await first.ended(ended, new Date('2026-08-19T09:15:01Z'));
    const second = await markAnalysisStarted(output.state_dir, new Date('2026-08-19T09:16:00Z'), 1);
    const cancelled = { run_id: null, status: 'CANCELLED', message: '' } as const;
    await second.ended(cancelled, new Date('2026-08-19T09:16:01Z'));
    const from = (minute: number) => ({
      started_at: `2026-08-19T09:${minute}:00.000+00:00`,
      finished_at: `2026-08-19T09:${minute}:01.000+00:00`,
    });
    const state = {
      analyser: null,
      running: null,
      interrupted: null,
      last_run: { ...ended, ...from(15) },
      last_cancelled: from(16),
    };
    expect((await client.get('/health')).json()).toMatchObject({
      status: 'ok',
      analyser_web_id: 'https://pods.example.org/analyser/profile/card#me',
      has_results: true,
      ...state,
    });
    expect((await client.get('/api/status')).json()).toMatchObject(state);
  });

  test('a chart is sent as it is on the disk', async () => {
    const png = Buffer.from('89504e470d0a1a0a00ff', 'hex');
    await openChartStore(output).write(alice, png);
    expect((await client.get(`/api/pods/${alice}`)).json()).toMatchObject({ has_chart: true });
    const answer = await client.get(`/api/pods/${alice}/chart.png`);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(png.length),
    });
    expect(answer.body).toEqual(png);

    const without = await startApi({ ...output, render_charts: false });
    const about = await send(without.address, `/api/pods/${alice}`);
    expect(about.json()).toMatchObject({ has_chart: false });
    expect((await send(without.address, `/api/pods/${alice}/chart.png`)).status).toBe(404);
    await without.stop();
  });

  test.each([
    ['/api/pods/pods.example.org-carol', 'The latest run read no Pod of this pod_id'],
    ['/api/pods/pods.example.org-carol/chart.png', 'The latest run read no Pod of this pod_id'],
    [`/api/pods/${alice}/chart.png`, 'No chart has been drawn for this Pod yet'],
    ['/api/runs/20260819T091502Z', 'No run of this run_id is stored'],
    ['/api/runs/latest', 'No run of this run_id is stored'],
  ])('%s is 404 and says what is missing', async (path, detail) => {
    const answer = await client.get(path);
    expect(answer.status).toBe(404);
    expect(answer.json()).toEqual({ detail: expect.stringContaining(detail) });
  });

  test('what the framework refuses before any route has a reason too', async () => {
    const long = { cookie: 'x'.repeat(20_000) };
    const tooLong = await send(api.address, '/health', { headers: long });
    expect([tooLong.status, tooLong.json()]).toEqual([431, { detail: expect.any(String) }]);
  });

  const strange = ['..', '..%2f..%2fstate%2fstate', '%2e%2e', 'a%00b', '.', 'x'.repeat(10_000)];
  test.each([
    ...strange.map((id): [string, number] => [id, 404]),
    ...['%', '%ff'].map((id): [string, number] => [id, 400]),
  ])('[T22] %.60s as the name of anything is %i', async (id, status) => {
    await mkdir(output.state_dir, { recursive: true });
    await writeFile(join(output.state_dir, 'state.json'), JSON.stringify(latest));
    for (const path of [`/api/runs/${id}`, `/api/pods/${id}`, `/api/pods/${id}/chart.png`]) {
      const answer = await send(api.address, path);
      expect(answer.status).toBe(status);
      expect(answer.json()).toEqual({ detail: expect.any(String) });
      expect(answer.body.toString()).not.toContain(alice);
    }
  });

  test.each([...jsonPaths, '/health'])(
    'HEAD %s has the headers of GET and no body',
    async (path) => {
      const head = await send(api.address, path, { method: 'HEAD' });
      const get = await send(api.address, path);
      expect(head.status).toBe(200);
      expect(head.body).toHaveLength(0);
      expect(head.headers['content-length']).toBe(get.headers['content-length']);
      expect(head.headers['content-type']).toBe(get.headers['content-type']);
    },
  );

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE'])(
    '%s is 405',
    async (method) => {
      for (const path of ['/api/summary', '/', '/nowhere']) {
        const answer = await send(api.address, path, { method });
        expect(answer.status).toBe(405);
        expect(answer.headers['allow']).toBe('GET, HEAD, OPTIONS');
        expect(answer.json()).toEqual({ detail: expect.any(String) });
      }
    },
  );

  test('OPTIONS is allowed, also where no browser asks before a call', async () => {
    const answer = await send(api.address, '/api/summary', { method: 'OPTIONS' });
    expect(answer.status).toBe(204);
  });

  test('an unknown path is 404', async () => {
    for (const path of ['/api', '/api/', '/api/pods/', '/api/pods/x/y', '/assets/x.js', '/.env']) {
      const answer = await send(api.address, path);
      expect(answer.status, path).toBe(404);
      expect(answer.json()).toEqual({ detail: expect.any(String) });
    }
  });

  test('an answer that the client has already is 304, until the content changes', async () => {
    const { headers } = await client.get('/api/summary');
    const etag = String(headers['etag']);
    const again = async (known: Record<string, string>) =>
      (await send(api.address, '/api/summary', { headers: known })).status;
    expect(await again({ 'if-none-match': etag })).toBe(304);
    expect(await again({ 'if-none-match': etag.replace('W/', '') })).toBe(304);
    expect(await again({ 'if-none-match': '"x"' })).toBe(200);
    // The date has whole seconds: the answer may have changed within one.
    const soon = new Date(Date.now() + 60_000).toUTCString();
    expect(await again({ 'if-modified-since': soon })).toBe(200);
    const unchanged = await send(api.address, '/api/summary', {
      headers: { 'if-none-match': etag },
    });
    expect(unchanged.body).toHaveLength(0);
    expect(unchanged.headers).toMatchObject({ etag, 'cache-control': 'no-cache' });

    await openResultsStore(output.results_dir).write(sampleResults('20260819T091502Z', [bob]));
    expect(await again({ 'if-none-match': etag })).toBe(200);
  });
});

describe('other origins', () => {
  test.each([
    [allowed, allowed],
    ['https://dashboard.example.org.evil.test', undefined],
    ['http://dashboard.example.org', undefined],
    ['null', undefined],
  ])('[T28] %s may read: %s', async (origin, expected) => {
    for (const path of ['/health', '/api/summary']) {
      const { headers } = await send(api.address, path, { headers: { origin } });
      expect(headers['access-control-allow-origin']).toBe(expected);
      expect(String(headers['vary'])).toContain('Origin');
    }
    const preflight = await send(api.address, '/api/summary', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe(expected);
  });

  test('[T28] where none is listed, no page of another may read', async () => {
    const closed = await startApi(output, { cors_origins: [], log });
    for (const method of ['GET', 'OPTIONS']) {
      const headers = { origin: allowed, 'access-control-request-method': 'GET' };
      const answer = await send(closed.address, '/api/summary', { method, headers });
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});

describe('files that are not what they should be', () => {
  const latestPath = () => join(output.results_dir, 'latest.json');
  beforeEach(writeRuns);

  test.each([
    ['is cut off', '{"schema_version": 1, "run'],
    ['is empty', ''],
    ['is not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['lacks a field', JSON.stringify({ ...latest, pods: undefined })],
    ['is of another version', JSON.stringify({ ...latest, schema_version: 2 })],
  ])('latest.json that %s is a 500 that keeps why to the log', async (_, text) => {
    await writeFile(latestPath(), text);
    for (const path of ['/api/summary', '/api/cohort', '/api/pods', `/api/pods/${alice}`]) {
      const answer = await client.get(path);
      expect(answer.status).toBe(500);
      expect(answer.json()).toEqual({
        detail: expect.stringContaining(
          'This version cannot read the figures of the latest run; the log says',
        ),
      });
    }
    expect(logged.join('')).toContain(latestPath());
    expect((await client.get('/health')).json()).toMatchObject({
      status: 'degraded',
      has_results: false,
    });
    // The stored run is sound.
    expect((await client.get(`/api/runs/${newer}`)).status).toBe(200);
  });

  test('a damaged run is a 500, named in the log, and hurts no other', async () => {
    await writeFile(join(output.results_dir, `run-${older}.json`), '{');
    expect((await client.get(`/api/runs/${older}`)).status).toBe(500);
    expect(logged.join('')).toContain(`run ${older}`);
    expect((await client.get('/api/runs')).json()).toEqual({ runs: [newer, older] });
    expect((await client.get('/api/summary')).status).toBe(200);
  });

  test('fields that are unknown to this release are left out', async () => {
    await writeFile(latestPath(), JSON.stringify({ ...latest, secret: 'x' }));
    expect((await client.get('/api/summary')).json()).toEqual(latest);
  });

  test('a damaged state marker is a 500, and the API stays alive', async () => {
    await mkdir(output.state_dir, { recursive: true });
    await writeFile(join(output.state_dir, 'state.json'), '{');
    expect((await client.get('/api/status')).status).toBe(500);
    expect((await client.get('/health')).json()).toMatchObject({
      status: 'degraded',
      has_results: true,
    });
  });

  test('a folder that cannot be listed is a 500 without its path', async () => {
    await rm(output.results_dir, { recursive: true });
    await writeFile(output.results_dir, '');
    const answer = await client.get('/api/runs');
    expect(answer.status).toBe(500);
    expect(answer.body.toString()).not.toContain(root);
    expect(logged.join('')).toContain(output.results_dir);
  });
});

test('stopping ends idle connections at once', async () => {
  const other = await start();
  const { hostname, port } = new URL(other.address);
  const socket = connect(Number(port), hostname);
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
  await new Promise((resolve) => socket.once('data', resolve));
  await Promise.all([other.stop(), closed]);
  await expect(send(other.address, '/health')).rejects.toThrow('ECONNREFUSED');
});

describe('a name that somebody else led to this machine', () => {
  const foreign = { host: `attacker.example:8088` };

  test.each(['/', '/docs', '/docs/json', '/health', '/nowhere', '/api/%', ...jsonPaths])(
    '[T28] is answered nothing at %s',
    async (path) => {
      await openResultsStore(output.results_dir).write(sampleResults(newer, [alice, bob]));
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
        const answer = await send(api.address, path, { method, headers: foreign });
        expect(answer.status).toBe(path === '/api/%' ? 400 : 421);
        expect(answer.body.toString()).not.toMatch(/localhost|pods\.example|swagger/);
        expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      }
    },
  );

  test('says what to configure, and is answered once it is listed', async () => {
    const refused = await send(api.address, '/health', { headers: foreign });
    expect(refused.json()).toMatchObject({ detail: expect.stringContaining('api.allowed_hosts') });
    const other = await start(['attacker.example']);
    expect((await send(other.address, '/health', { headers: foreign })).status).toBe(200);
    await other.stop();
  });
});

describe('pages', () => {
  test.each(['%2e%2e/', '%2e%2e/package.json', '..%2fpackage.json', '%00', '%', 'nothing'])(
    '[T22] there is nothing at /docs/static/%s, and no error in the log',
    async (name) => {
      const { status, body } = await send(api.address, `/docs/static/${name}`);
      expect([400, 403, 404]).toContain(status);
      expect(body.toString()).not.toContain('dependencies');
      expect(logged).toEqual([]);
    },
  );

  test('[T28] the pages come with style, font and icon, and nothing around them', async () => {
    const page = await send(api.address, '/');
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy':
        "default-src 'none';style-src 'self';img-src 'self';font-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    const types = { 'style.css': 'text/css; charset=utf-8', 'inter.woff2': 'font/woff2' };
    for (const [name, type] of Object.entries({ ...types, 'icon.svg': 'image/svg+xml' })) {
      const asset = await send(api.address, `/${name}`);
      expect([asset.status, asset.headers['content-type']]).toEqual([200, type]);
      const known = { 'if-none-match': String(asset.headers['etag']) };
      expect((await send(api.address, `/${name}`, { headers: known })).status).toBe(304);
    }
    const docs = await send(api.address, '/docs');
    expect(String(docs.headers['content-security-policy']).split(';')).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'"]),
    );
    for (const path of ['/styles/base.css', '/licences', '/../results', '/..%2fpackage.json']) {
      expect((await send(api.address, path)).status, path).toBe(404);
    }
  });
});
