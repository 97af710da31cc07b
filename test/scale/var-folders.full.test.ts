import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PlainClient } from '../grpc/plain-client.js';
import { createContributor, weekly } from '../support/contributor.js';
import { type ProxiedServer, startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { outputBelow } from '../support/output-below.js';
import { hasRedis, type RedisServer, startRedis } from '../support/redis-server.js';
import { type Process, startProcess } from './processes.js';

let server: ProxiedServer;
let redis: RedisServer;
let analyser: InitialisedPod;
let contributors: InitialisedPod[];
let shared: string;
let started: Process[] = [];

const runsSchema = z.object({ runs: z.array(z.string()) });

async function start(mode: Parameters<typeof startProcess>[0], output: object | null) {
  const sections = { api: { port: 0 }, ...(output && { output }) };
  const one = await startProcess(mode, analyser, { redisUrl: redis.url, sections });
  started.push(one);
  return one;
}

async function startService(output: object | null) {
  const one = await start('grpc', output);
  const [, port] = await one.said(/serving gRPC on 127\.0\.0\.1:(\d+)/);
  return { ...one, client: new PlainClient(Number(port)) };
}

const below = (folder: string) => outputBelow(folder);

/** What the HTTP API of a process of its own shows of these folders. */
async function shownRuns(output: object): Promise<string[]> {
  const serve = await start('serve', output);
  const [address = ''] = await serve.said(/http:\/\/127\.0\.0\.1:\d+/);
  const { runs } = runsSchema.parse(await (await fetch(`${address}/api/runs`)).json());
  await serve.kill();
  return runs.sort();
}

/** Both services are started, and called, at the same moment. */
async function analyseAtBoth(outputs: (object | null)[]) {
  const services = await Promise.all(outputs.map(startService));
  await start('worker', null);
  const ready = { timeout: 60_000 };
  for (const { client } of services) {
    await expect.poll(() => client.status(), ready).toMatchObject({ ready: true });
  }
  const replies = await Promise.all(
    services.map(({ client }, index) => client.analyse(contributors[index]?.pod.webId ?? '')),
  );
  for (const reply of replies) {
    expect(reply).toMatchObject({ status: 'ANALYSE_STATUS_COMPLETED', published: true });
  }
  return { services, runs: replies.map((reply) => String(reply['run_id'])) };
}

describe.runIf(hasRedis)('two services that start at once', { timeout: 180_000 }, () => {
  beforeAll(async () => {
    [redis, server] = await Promise.all([startRedis(), startProxiedServer()]);
    shared = await mkdtemp(join(tmpdir(), 'bp-shared-var-'));
    analyser = await createInitialisedPod(server);
    contributors = await Promise.all([
      createContributor(server, analyser, weekly([110, 70, 50], [112, 75, null])),
      createContributor(server, analyser, weekly([130, 90, 70])),
    ]);
  }, 180_000);
  afterEach(async () => {
    await Promise.all(started.map((one) => one.kill()));
    started = [];
  });
  afterAll(async () => {
    await Promise.all([...contributors, analyser].map((one) => one.close()));
    await Promise.all([redis.stop(), server.stop()]);
    await rm(shared, { recursive: true });
  });

  test('on one var/ leave every run there, and one serve shows them all', async () => {
    const output = below(shared);
    const { runs } = await analyseAtBoth([output, output]);
    expect(new Set(runs).size).toBe(2);
    expect(await shownRuns(output)).toEqual([...runs].sort());
  });

  test('on a var/ of their own leave each run where it was made, under names that differ', async () => {
    const { services, runs } = await analyseAtBoth([null, null]);
    expect(new Set(runs).size).toBe(2);
    const shown = await Promise.all(
      services.map(({ folder }) => shownRuns(below(join(folder, 'var')))),
    );
    expect(shown.flat().sort()).toEqual([...runs].sort());
  });
});
