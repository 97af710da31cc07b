import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { findFreePort, startEmbeddedServer } from '../../src/embedded-server/embedded-server.js';
import {
  createAccount,
  createAccountPod,
  issueClientCredentials,
} from '../../src/solid/css-account.js';
import { startChild } from './child.js';
import { cpuOfProcess } from './cpu-of-process.js';
import { buildPodWorld, type WorldSize } from './pod-world.js';
import type { World } from './world-answer.js';

export interface Cost {
  wallMs: number;
  /** Of the storage server: what else the machine does hardly changes it. */
  cpuMs: number;
}

export interface RealServer {
  world: World;
  /** Of some work that tells its own time. */
  costOf(work: () => Promise<number>): Promise<Cost>;
  stop(): Promise<void>;
}

/**
 * A Community Solid Server with everything already in its folder: what a thousand files cost to
 * create through it is not the question. `delayMs` stands between it and everybody else.
 */
export async function startRealServer(size: WorldSize, delayMs = 0): Promise<RealServer> {
  const port = await findFreePort();
  const proxy = delayMs === 0 ? null : await startDelayProxy(port, delayMs);
  const known = proxy === null ? {} : { baseUrl: `http://localhost:${proxy.port}/` };
  const server = await startEmbeddedServer({ port, ...known });
  const { baseUrl } = server;
  const login = { email: 'analyser@pods.example', password: 'of no use elsewhere' };
  const account = await createAccount(baseUrl, login);
  const { webId } = await createAccountPod(account, 'analyser');
  const credentials = await issueClientCredentials(account, { name: 'benchmark', webId });
  const { documents, ...world } = await buildPodWorld(baseUrl, size);
  for (const [url, turtle] of documents) {
    const path = join(server.rootDir, decodeURIComponent(new URL(url).pathname));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, turtle);
  }
  return {
    world: { ...world, baseUrl, credentials },
    async costOf(work) {
      const before = await cpuOfProcess(server.pid);
      const wallMs = await work();
      return { wallMs, cpuMs: (await cpuOfProcess(server.pid)) - before };
    },
    async stop() {
      await proxy?.stop();
      await server.stop();
    },
  };
}

const started = z.object({ port: z.number() });

export async function startDelayProxy(
  targetPort: number,
  delayMs: number,
): Promise<{ port: number; stop(): Promise<void> }> {
  const child = startChild('delay-proxy');
  const { port } = await child.ask('start', { targetPort, delayMs }, started);
  return { port, stop: () => child.stop() };
}
