import { expect, test } from 'vitest';
import { createMetrics, serveMetrics } from '../src/metrics/metrics.js';
import { timeStep } from '../src/run/observer.js';
import { alice, bob, completed, ScriptedAnalyses } from './grpc/scripted-analyses.js';
import { serve } from './grpc/serve.js';

const prefix = 'bp_analyser_';

/** `name{labels}` to value, of our own figures without the buckets. */
async function scrape(port: number): Promise<Map<string, number>> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith(prefix));
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice(prefix.length, space), Number(line.slice(space + 1))] as const;
    }),
  );
}

test('what waits, runs and has ended is counted by outcome', async () => {
  const { registry, observe } = createMetrics();
  const metrics = await serveMetrics(registry, { host: '127.0.0.1', port: 0 });
  const analyses = new ScriptedAnalyses();
  await using service = await serve({ analyses, observe });
  const client = service.client();
  expect(Object.fromEntries(await scrape(metrics.port))).toMatchObject({
    analyses_waiting: 0,
    analyses_running: 0,
    'analyses_total{outcome="COMPLETED"}': 0,
    'analyses_total{outcome="FAILED"}': 0,
    'step_duration_seconds_count{step="publish"}': 0,
  });

  const first = client.analyse(alice);
  const run = await analyses.begun(1);
  const second = client.analyse(bob);
  const third = client.analyse(bob);
  await expect.poll(async () => (await scrape(metrics.port)).get('analyses_waiting')).toBe(2);
  expect((await scrape(metrics.port)).get('analyses_running')).toBe(1);

  await client.cancel(bob);
  await Promise.all([second, third]);
  run.finish(completed);
  await first;
  const fourth = client.analyse(alice);
  (await analyses.begun(2)).fail(new Error('broken'));
  await fourth;
  expect(Object.fromEntries(await scrape(metrics.port))).toMatchObject({
    analyses_waiting: 0,
    analyses_running: 0,
    'analyses_total{outcome="COMPLETED"}': 1,
    'analyses_total{outcome="CANCELLED"}': 2,
    'analyses_total{outcome="FAILED"}': 1,
    'analyses_total{outcome="NO_DATA"}': 0,
    analysis_wait_seconds_count: 2,
    'analysis_duration_seconds_count{outcome="COMPLETED"}': 1,
    'analysis_duration_seconds_count{outcome="FAILED"}': 1,
  });
  await metrics.stop();
});

test('steps and requests to the storage server are counted', async () => {
  const { registry, observe } = createMetrics();
  const metrics = await serveMetrics(registry, { host: '127.0.0.1', port: 0 });
  const request = { kind: 'request', method: 'GET' } as const;
  observe({ ...request, outcome: { status: 200 }, milliseconds: 20 });
  observe({ ...request, outcome: { failure: 'slow' }, milliseconds: 20_000 });
  observe({ kind: 'readiness', ready: true });
  const broken = () => Promise.reject(new Error('broken'));
  await expect(timeStep(observe, 'read', broken)).rejects.toThrow();
  expect(Object.fromEntries(await scrape(metrics.port))).toMatchObject({
    'storage_request_duration_seconds_sum{method="GET",result="200"}': 0.02,
    'storage_request_duration_seconds_count{method="GET",result="slow"}': 1,
    'step_duration_seconds_count{step="read"}': 1,
    ready: 1,
  });
  await metrics.stop();
});

test('the port answers GET /metrics and nothing else, and says so when it cannot be opened', async () => {
  const { registry } = createMetrics();
  const metrics = await serveMetrics(registry, { host: '127.0.0.1', port: 0 });
  const at = (path: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${metrics.port}${path}`, init).then(({ status }) => status);
  expect(await at('/metrics?x=1')).toBe(200);
  expect(await at('/')).toBe(404);
  expect(await at('//[')).toBe(404);
  expect(await at('/metrics', { method: 'POST', body: 'x' })).toBe(405);
  await expect(
    serveMetrics(registry, { host: '127.0.0.1', port: metrics.port }),
  ).rejects.toMatchObject({
    kind: 'port',
    message: expect.stringMatching(
      /port 127\.0\.0\.1:\d+ \(metrics\.host, metrics\.port\) is in use/,
    ),
  });
  await metrics.stop();
});
