import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { credentials } from '@grpc/grpc-js';
import { findFreePort } from '../../src/embedded-server/embedded-server.js';
import {
  type AnalyseReply,
  AnalyserClient,
  AnalyseStatus,
  type StatusReply,
} from '../../src/generated/healthpod/analyser/v1/analyser.js';
import type { World } from './pod-world.js';
import { peakMbOf } from './process-gauges.js';

const LOOK_EVERY_MS = 25;
const START_LIMIT_MS = 20_000;
/** A turn ends a moment after its last answer. Callers of this moment would all share the next turn. */
const END_OF_TURN_MS = 500;

/** The service in a process of its own, called over gRPC as the app does. */
export interface Service {
  client: AnalyserClient;
  /** Milliseconds until the last of these callers, who ask at the same moment, has a reply. */
  analyse(...webIds: string[]): Promise<number>;
  /** The largest resident memory so far. */
  peakMb(): Promise<number>;
  stop(): Promise<void>;
}

/** Works with a service in front of a storage server, and stops both. */
export async function withService<Server extends { world: World; stop(): Promise<void> }, T>(
  server: Server,
  work: (service: Service, server: Server) => Promise<T>,
): Promise<T> {
  const service = await startService(server.world);
  try {
    return await work(service, server);
  } finally {
    await service.stop();
    await server.stop();
  }
}

export async function startService(world: World): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'bp-bench-'));
  const configFile = join(folder, 'config.yaml');
  const { analyserWebId, baseUrl } = world;
  const port = await findFreePort();
  await writeFile(
    configFile,
    `analyser: { web_id: "${analyserWebId}", server_url: "${baseUrl}" }
grpc: { host: 127.0.0.1, port: ${port}, analysis_timeout_seconds: 600 }
`,
  );
  const env = {
    ...process.env,
    APP_ANALYSER_CONFIG: configFile,
    APP_ANALYSER_CLIENT_ID: world.credentials.clientId,
    APP_ANALYSER_CLIENT_SECRET: world.credentials.clientSecret,
    APP_ANALYSER_SECURITY_KEY: world.securityKey,
  };
  const child = fork(fileURLToPath(new URL('../../src/cli/main.js', import.meta.url)), ['grpc'], {
    env,
    execArgv: [],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  if (child.stderr !== null) {
    createInterface(child.stderr).on('line', (line) => {
      if (!line.startsWith('{"level":30,')) console.error(line);
    });
  }
  const ended = once(child, 'exit');
  const client = new AnalyserClient(`127.0.0.1:${port}`, credentials.createInsecure());
  await promisify(client.waitForReady.bind(client))(Date.now() + START_LIMIT_MS);
  while (!(await askStatus(client)).ready) await pause(LOOK_EVERY_MS);
  return {
    client,
    async analyse(...webIds) {
      await pause(END_OF_TURN_MS);
      const start = performance.now();
      const replies = await Promise.all(webIds.map((webId) => callAnalyse(client, webId)));
      const wallMs = performance.now() - start;
      for (const reply of replies) requireDelivered(reply);
      return wallMs;
    },
    peakMb: () => peakMbOf(child.pid),
    async stop() {
      client.close();
      child.kill();
      await ended;
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

function requireDelivered({ status, published, message }: AnalyseReply): void {
  if (status !== AnalyseStatus.ANALYSE_STATUS_COMPLETED || !published) {
    throw new Error(`The analysis did not work: ${status}: ${message}`);
  }
}

export function askStatus(client: AnalyserClient): Promise<StatusReply> {
  return new Promise((resolve, reject) => {
    client.status({}, (error, reply) => (error === null ? resolve(reply) : reject(error)));
  });
}
