import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { credentials } from '@grpc/grpc-js';
import { z } from 'zod';
import {
  type AnalyseReply,
  AnalyserClient,
  AnalyseStatus,
  type StatusReply,
} from '../../src/generated/healthpod/analyser/v1/analyser.js';
import { type Child, startChild } from './child.js';
import type { World } from './world-answer.js';

const gauges = z.object({
  cpuMs: z.number(),
  peakMemoryMb: z.number(),
});
const held = z.object({ heldMb: z.number(), rssMb: z.number() });

export type AnalysisFigures = z.infer<typeof gauges> & { wallMs: number; reply: AnalyseReply };

/** The service in a process of its own, called over gRPC as the app does. */
export interface Service {
  client: AnalyserClient;
  resultsDir: string;
  /** Answers when they are ready. */
  addWorkers(count: number): Promise<void>;
  analyse(webId: string): Promise<AnalysisFigures>;
  /** Milliseconds until the last of these callers, who ask at the same moment, has a reply. */
  analyseTogether(webIds: readonly string[]): Promise<number>;
  heldMemory(): Promise<z.infer<typeof held>>;
  stop(): Promise<void>;
}

/** Several processes over a Redis. */
export interface Sharing {
  redisUrl: string;
  bounds: { max_requests?: number; requests_per_worker?: number };
}

export async function startService(
  world: World,
  sharing: Sharing | null = null,
  { isTrial = false, allowedOrigins = new Array<string>() } = {},
): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'bp-bench-'));
  const configFile = join(folder, 'config.yaml');
  const { analyserWebId, baseUrl } = world;
  await writeFile(
    configFile,
    `analyser: { web_id: "${analyserWebId}", server_url: "${baseUrl}" }
grpc: { host: 127.0.0.1, port: 0, analysis_timeout_seconds: 600 }
data: { allowed_origins: ${JSON.stringify(allowedOrigins)} }
scale: ${JSON.stringify(sharing?.bounds ?? {})}
sharing: { enabled: ${!isTrial} }
`,
  );
  const log = new ServiceLog();
  const env = {
    ...process.env,
    APP_ANALYSER_CONFIG: configFile,
    APP_ANALYSER_CLIENT_ID: world.credentials.clientId,
    APP_ANALYSER_CLIENT_SECRET: world.credentials.clientSecret,
    APP_ANALYSER_SECURITY_KEY: world.securityKey,
    APP_ANALYSER_REDIS_URL: sharing?.redisUrl ?? '',
  };
  const onLine = (line: string) => log.take(line);
  const start = (mode: 'grpc' | 'worker') => startChild('service', { args: [mode], env, onLine });
  const child = start('grpc');
  const workers: Child[] = [];
  const port = await log.port;
  const client = new AnalyserClient(`127.0.0.1:${port}`, credentials.createInsecure());
  if (sharing === null) await whenReady(client);
  return {
    client,
    resultsDir: join(folder, 'var', 'results'),
    async addWorkers(count) {
      for (let started = 0; started < count; started += 1) {
        workers.push(start('worker'));
      }
      await whenReady(client);
      await pause(SETTLE_MS);
    },
    async analyse(webId) {
      await child.ask('reset', {}, z.null());
      const start = performance.now();
      const reply = await callAnalyse(client, webId);
      const wallMs = performance.now() - start;
      requireDelivered(reply, isTrial);
      return { ...(await child.ask('read', {}, gauges)), wallMs, reply };
    },
    async analyseTogether(webIds) {
      const start = performance.now();
      const replies = await Promise.all(webIds.map((webId) => callAnalyse(client, webId)));
      const wallMs = performance.now() - start;
      for (const reply of replies) requireDelivered(reply, isTrial);
      return wallMs;
    },
    heldMemory: () => child.ask('collect', {}, held),
    async stop() {
      client.close();
      await Promise.all([child, ...workers].map((one) => one.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Shows what is worth a warning, and finds the port. */
class ServiceLog {
  readonly port: Promise<number>;
  #found: (port: number) => void = () => undefined;

  constructor() {
    this.port = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('The service did not start.')), 20_000);
      this.#found = (port) => {
        clearTimeout(timer);
        resolve(port);
      };
    });
  }

  take(line: string): void {
    const port = /serving gRPC on 127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (port !== undefined) this.#found(Number(port));
    if (!line.startsWith('{"level":30,')) console.error(line);
  }
}

function callAnalyse(client: AnalyserClient, webId: string): Promise<AnalyseReply> {
  return new Promise((resolve, reject) => {
    client.analyse({ web_id: webId, shared_file_count: 0, requested_at: '' }, (error, reply) =>
      error === null ? resolve(reply) : reject(error),
    );
  });
}

function requireDelivered({ status, published, message }: AnalyseReply, isTrial: boolean): void {
  if (status !== AnalyseStatus.ANALYSE_STATUS_COMPLETED || published === isTrial) {
    throw new Error(`The analysis did not work: ${status}: ${message}`);
  }
}

const LOOK_EVERY_MS = 25;
/** The first worker makes the service ready; by then the others are too. */
const SETTLE_MS = 3_000;

async function whenReady(client: AnalyserClient): Promise<void> {
  while (!(await askStatus(client)).ready) await pause(LOOK_EVERY_MS);
}

export function askStatus(client: AnalyserClient): Promise<StatusReply> {
  return new Promise((resolve, reject) => {
    client.status({}, (error, reply) => (error === null ? resolve(reply) : reject(error)));
  });
}
