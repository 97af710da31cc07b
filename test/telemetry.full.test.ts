import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ChannelCredentials, Metadata } from '@grpc/grpc-js';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { AnalyserClient } from '../src/generated/healthpod/analyser/v1/analyser.js';
import { isTracingWanted } from '../src/traces/tracing.js';
import { startService } from './grpc/child-service.js';
import { runMode } from './support/command-line.js';
import { writeConfigFile } from './support/config-file.js';
import { createContributor, weekly } from './support/contributor.js';
import { createInitialisedPod } from './support/initialised-pod.js';
import { sharedSolidServer } from './support/solid-server.js';

const callerTrace = '0af7651916cd43dd8448eb211c80319c';
const callerSpan = 'b7ad6b7169203331';

const spanSchema = z.object({
  name: z.string(),
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
});
const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({ scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })) }),
  ),
});

/** A collector of traces that keeps what it is sent. */
async function startCollector() {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return { bodies, url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

function analyse(port: number, web_id: string): Promise<unknown> {
  const client = new AnalyserClient(`127.0.0.1:${port}`, ChannelCredentials.createInsecure());
  const metadata = new Metadata();
  metadata.set('traceparent', `00-${callerTrace}-${callerSpan}-01`);
  const request = { web_id, shared_file_count: 0, requested_at: '' };
  return new Promise((resolve, reject) => {
    client.analyse(request, metadata, (error, reply) => {
      client.close();
      if (error === null) resolve(reply.status);
      else reject(error);
    });
  });
}

test('metrics and traces of a real analysis name no person, Pod or address', async () => {
  const server = sharedSolidServer();
  const analyser = await createInitialisedPod(server);
  const alice = await createContributor(server, analyser, weekly([120, 80, 60], [130, 90, 70]));
  const folder = await mkdtemp(join(tmpdir(), 'bp-watching-'));
  await writeConfigFile(folder, analyser, {
    grpc: { host: '127.0.0.1', port: 0 },
    metrics: { port: 0 },
    output: { render_charts: false },
  });
  const collector = await startCollector();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'watched' };
  await using service = await startService(folder, { env });
  const portIn = (line: string) => Number(/127\.0\.0\.1:(\d+)/.exec(line)?.[1]);
  const grpcPort = portIn(await service.logged('serving gRPC on'));
  const metricsPort = portIn(await service.logged('serving metrics on'));
  expect(await analyse(grpcPort, alice.pod.webId)).toBe('ANALYSE_STATUS_COMPLETED');

  const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).then((it) => it.text());
  expect(metrics).toContain('bp_analyser_analyses_total{outcome="COMPLETED"} 1');
  expect(metrics).toContain('bp_analyser_files_total{result="read"} 2');
  expect(metrics).toContain('bp_analyser_files_total{result="skipped"} 0');
  expect(metrics).toContain('bp_analyser_ready 1');
  for (const step of ['unlock', 'discover', 'read', 'draw', 'publish']) {
    expect(metrics).toContain(`bp_analyser_step_duration_seconds_count{step="${step}"} 1`);
  }
  expect(metrics).toMatch(/request_duration_seconds_count\{method="GET",result="200"\} [1-9]/);

  service.child.kill('SIGTERM');
  expect(await service.exit).toEqual([0, null]);
  collector.stop();
  const spans = collector.bodies.flatMap((body) =>
    exportSchema
      .parse(JSON.parse(body))
      .resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
  const analysis = spans.find(({ name }) => name === 'analysis');
  expect(analysis).toMatchObject({ traceId: callerTrace, parentSpanId: callerSpan });
  const below = spans.filter(({ parentSpanId }) => parentSpanId === analysis?.spanId);
  expect(below.map(({ name }) => name)).toEqual(['discover', 'read', 'draw', 'publish']);
  const read = below.find(({ name }) => name === 'read');
  const requests = spans.filter(({ parentSpanId }) => parentSpanId === read?.spanId);
  expect(requests.map(({ name }) => name)).toEqual(['GET', 'GET']);
  expect(collector.bodies.join('')).toContain('"watched"');

  const outside = [metrics, ...collector.bodies].join('\n');
  for (const { pod, account } of [analyser, alice]) {
    for (const name of [pod.webId, pod.root, new URL(pod.root).pathname, account.clientId]) {
      expect(outside).not.toContain(name);
    }
  }
  expect(outside).not.toContain(new URL(server.baseUrl).host);
  await Promise.all([analyser.close(), alice.close(), rm(folder, { recursive: true })]);
});

test('a collector that is away makes no failure of a run', async () => {
  const analyser = await createInitialisedPod(sharedSolidServer());
  const folder = await mkdtemp(join(tmpdir(), 'bp-watching-'));
  await writeConfigFile(folder, analyser);
  // The library looks at the environment of the process itself.
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:9');
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '500');
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
  expect(await runMode(['run-once'], { cwd: folder, env })).toMatchObject({ code: 0 });
  vi.unstubAllEnvs();
  await Promise.all([analyser.close(), rm(folder, { recursive: true })]);
});

test.each([
  [{}, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' }, true],
  [{ OTEL_TRACES_EXPORTER: 'otlp' }, true],
  [{ OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }, false],
  [{ OTEL_SDK_DISABLED: 'true', OTEL_TRACES_EXPORTER: 'otlp' }, false],
])('with %o traces are wanted: %s', (env, wanted) => {
  expect(isTracingWanted(env)).toBe(wanted);
});
