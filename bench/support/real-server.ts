import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findFreePort, startEmbeddedServer } from '../../src/embedded-server/embedded-server.js';
import {
  createAccount,
  createAccountPod,
  issueClientCredentials,
} from '../../src/solid/css-account.js';
import { buildPodWorld, type World, type WorldSize } from './pod-world.js';
import { cpuMsOf } from './process-gauges.js';
import { median } from './statistics.js';

export interface Cost {
  wallMs: number;
  /** Of the storage server: what else the machine does hardly changes it. */
  cpuMs: number;
}

/** The medians. */
export function tell(costs: readonly Cost[]): string {
  const of = (key: keyof Cost) => Math.round(median(costs.map((cost) => cost[key])));
  return `${of('wallMs')} ms, CPU of the server ${of('cpuMs')} ms`;
}

export interface RealServer extends AsyncDisposable {
  world: World;
  /** Of some work that tells its own time. */
  costOf: (work: () => Promise<number>) => Promise<Cost>;
}

/**
 * A Community Solid Server with everything already in its folder: what a thousand files cost to create through it is
 * not the question.
 */
export async function startRealServer(size: WorldSize): Promise<RealServer> {
  const server = await startEmbeddedServer(await findFreePort());
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
    world: { ...world, credentials },
    async costOf(work) {
      const before = await cpuMsOf(server.pid);
      const wallMs = await work();
      return { wallMs, cpuMs: (await cpuMsOf(server.pid)) - before };
    },
    [Symbol.asyncDispose]: () => server.stop(),
  };
}
