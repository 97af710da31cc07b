import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type EmbeddedServer,
  type EmbeddedServerOptions,
  findFreePort,
} from '../../src/embedded-server/embedded-server.js';
import { atEnd } from './at-end.js';

const script = fileURLToPath(new URL('./compiled-server-process.mjs', import.meta.url));
/** Goes when the packages are installed anew. */
const cache = fileURLToPath(new URL('../../node_modules/.cache/solid-server/', import.meta.url));

export interface CompiledServer extends EmbeddedServer {
  /** Stops the server for a while, keeping its data. */
  pause(): Promise<void>;
  /** Starts it again on the same port. */
  resume(): Promise<void>;
}

interface Options extends EmbeddedServerOptions {
  config: object;
}

/**
 * Like `startEmbeddedServer`, in one second instead of seven: six go into reading the configuration,
 * whose outcome is kept here as source code. The server is the same, and runs until the test file ends.
 */
export async function startCompiledServer(options: Options, tried = 1): Promise<CompiledServer> {
  const port = options.port ?? (await findFreePort());
  const baseUrl = new URL(options.baseUrl ?? `http://localhost:${port}/`).href;
  const config = JSON.stringify(options.config);
  const workDir = await mkdtemp(join(tmpdir(), 'bp-solid-server-'));
  const [configFile, rootDir] = [join(workDir, 'config.json'), join(workDir, 'data')];
  await Promise.all([
    mkdir(rootDir),
    mkdir(cache, { recursive: true }),
    writeFile(configFile, config),
  ]);
  const files = [configFile, join(cache, `${checksum(config)}.cjs`)];
  const start = () => launch([...files, String(port), baseUrl, rootDir]);
  const removeWorkDir = () => rm(workDir, { recursive: true, force: true });
  let child: ChildProcess;
  try {
    child = await start();
  } catch (error) {
    await removeWorkDir();
    // Another process can take a free port before the server opens it.
    if (options.port !== undefined || tried === 3) throw error;
    return await startCompiledServer(options, tried + 1);
  }
  return {
    baseUrl,
    port,
    rootDir,
    get pid() {
      return child.pid;
    },
    stop: atEnd(async () => {
      await end(child);
      await removeWorkDir();
    }),
    pause: () => end(child),
    async resume() {
      child = await start();
    },
  };
}

function checksum(config: string): string {
  const packageFile = createRequire(import.meta.url).resolve(
    '@solid/community-server/package.json',
  );
  const parts = [packageFile, script].map((file) => readFileSync(file));
  return parts
    .reduce((hash, part) => hash.update(part), createHash('sha256').update(config))
    .digest('hex');
}

async function launch(args: readonly string[]): Promise<ChildProcess> {
  // In its presence the server refuses logins.
  const { JEST_WORKER_ID: _worker, ...env } = process.env;
  const child = fork(script, args, {
    execArgv: ['--max-semi-space-size=64', '--stack-trace-limit=1'],
    env: { ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = once(child, 'exit').then(() => {
    throw new Error('The Solid server for the tests did not start.');
  });
  await Promise.race([once(child, 'message'), gone]);
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await gone;
  clearTimeout(timer);
}
