import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type EmbeddedServer,
  end,
  findFreePort,
  launch,
} from '../../src/embedded-server/embedded-server.js';
import { atEnd } from './at-end.js';

const script = new URL('./compiled-server-process.mjs', import.meta.url);
/** Goes when the packages are installed anew. */
const cache = fileURLToPath(new URL('../../node_modules/.cache/solid-server/', import.meta.url));

export interface CompiledServer extends EmbeddedServer {
  /** Stops the server for a while, keeping its data. */
  pause(): Promise<void>;
  /** Starts it again on the same port. */
  resume(): Promise<void>;
}

export interface ServerPlace {
  /** Default: a free one. */
  port?: number | undefined;
  /** The address that the server is known by, when a proxy stands in front of it. */
  baseUrl?: string | undefined;
}

interface Options extends ServerPlace {
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
  const start = () => launch(script, [...files, String(port), baseUrl, rootDir], port);
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
