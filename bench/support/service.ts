import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { credentials } from '@grpc/grpc-js';
import { z } from 'zod';
import { configSchema } from '../../src/config/schema.js';
import {
  type AnalyseReply,
  AnalyserClient,
  AnalyseStatus,
  type StatusReply,
} from '../../src/generated/healthpod/analyser/v1/analyser.js';
import { startChild } from './child.js';
import type { Watch } from './watch.js';
import type { World } from './world-answer.js';

const started = z.object({ port: z.number() });
const gauges = z.object({
  cpuMs: z.number(),
  longestBlockMs: z.number(),
  peakMemoryMb: z.number(),
});
const held = z.object({ heldMb: z.number(), rssMb: z.number() });

export type AnalysisFigures = z.infer<typeof gauges> & { wallMs: number; reply: AnalyseReply };

/** The service in a process of its own, called over gRPC as the app does. */
export interface Service {
  resultsDir: string;
  /** What a worker of the same Analyser is started with. */
  question: object;
  ready(): Promise<void>;
  /** `during` names the benchmark for the watch. */
  analyse(webId: string, during: string): Promise<AnalysisFigures>;
  heldMemory(): Promise<z.infer<typeof held>>;
  stop(): Promise<void>;
}

/** Several processes over a Redis. */
export interface Sharing {
  redisUrl: string;
  scale: { max_requests?: number; requests_per_worker?: number };
}

export async function startService(
  world: World,
  watch: Watch,
  sharing: Sharing | null = null,
): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'bp-bench-'));
  const child = startChild('service');
  const config = configSchema.parse({
    analyser: { web_id: world.analyserWebId, server_url: world.baseUrl },
    grpc: { host: '127.0.0.1', port: 0, analysis_timeout_seconds: 600 },
    output: {
      state_dir: join(folder, 'state'),
      results_dir: join(folder, 'results'),
      charts_dir: join(folder, 'charts'),
    },
    scale: sharing?.scale ?? {},
  });
  const secrets = {
    ...world.credentials,
    securityKey: world.securityKey,
    grpcToken: null,
    redisUrl: sharing?.redisUrl ?? null,
  };
  const question = { config, secrets };
  const { port } = await child.ask('start', question, started);
  const client = new AnalyserClient(`127.0.0.1:${port}`, credentials.createInsecure());
  return {
    resultsDir: config.output.results_dir,
    question,
    async ready() {
      while (!(await askStatus(client)).ready) await pause(PROBE_EVERY_MS);
    },
    async analyse(webId, during) {
      await child.ask('reset', {}, z.null());
      const probing = startProbing(client);
      const start = performance.now();
      const reply = await callAnalyse(client, webId);
      const wallMs = performance.now() - start;
      const answers = await probing.stop();
      const read = await child.ask('read', {}, gauges);
      if (reply.status !== AnalyseStatus.ANALYSE_STATUS_COMPLETED || !reply.published) {
        throw new Error(`The analysis did not work: ${reply.status}: ${reply.message}`);
      }
      watch.answered(answers);
      watch.blocked(during, read.longestBlockMs);
      return { ...read, wallMs, reply };
    },
    heldMemory: () => child.ask('collect', {}, held),
    async stop() {
      client.close();
      await child.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function callAnalyse(client: AnalyserClient, webId: string): Promise<AnalyseReply> {
  return new Promise((resolve, reject) => {
    client.analyse({ web_id: webId, shared_file_count: 0, requested_at: '' }, (error, reply) =>
      error === null ? resolve(reply) : reject(error),
    );
  });
}

const PROBE_EVERY_MS = 25;

/** Asks for the status, and for the end of an analysis that nobody asked for, all the time. */
function startProbing(client: AnalyserClient): { stop(): Promise<number[]> } {
  const milliseconds: number[] = [];
  let stopped = false;
  const work = async () => {
    while (!stopped) {
      for (const call of [askStatus, cancel]) {
        const start = performance.now();
        await call(client);
        milliseconds.push(performance.now() - start);
      }
      await pause(PROBE_EVERY_MS);
    }
    return milliseconds;
  };
  const working = work();
  return {
    stop() {
      stopped = true;
      return working;
    },
  };
}

function askStatus(client: AnalyserClient): Promise<StatusReply> {
  return new Promise((resolve, reject) => {
    client.status({}, (error, reply) => (error === null ? resolve(reply) : reject(error)));
  });
}

function cancel(client: AnalyserClient): Promise<unknown> {
  const nobody = { web_id: 'http://localhost/nobody/profile/card#me', requested_at: '' };
  return new Promise((resolve, reject) => {
    client.cancel(nobody, (error, reply) => (error === null ? resolve(reply) : reject(error)));
  });
}
