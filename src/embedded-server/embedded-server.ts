import { type ChildProcess, fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AnalyserError, messageOf } from '../base/errors.js';

const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 5_000;
const OUTPUT_KEPT = 8_192;

export type EmbeddedServer = Awaited<ReturnType<typeof startEmbeddedServer>>;

/** A Community Solid Server of our own, in a child process, for the demo and the benchmarks. */
export async function startEmbeddedServer(port: number) {
  const workDir = await mkdtemp(join(tmpdir(), 'bp-solid-server-'));
  const rootDir = join(workDir, 'data');
  await mkdir(rootDir, { recursive: true });
  const configFile = await writeConfigFile(workDir);
  const baseUrl = `http://localhost:${port}/`;
  const removeWorkDir = () => rm(workDir, { recursive: true, force: true });
  const script = new URL(`./solid-server-process${extname(import.meta.url)}`, import.meta.url);
  const args = [configFile, String(port), baseUrl, rootDir];
  const child = await launch(script, args, port).catch(async (error: unknown) => {
    await removeWorkDir();
    throw error;
  });
  return {
    baseUrl,
    rootDir,
    pid: child.pid,
    async stop() {
      await end(child);
      await removeWorkDir();
    },
  };
}

/** Accounts and locks would take a third of the server's time on the disk. */
export const bookkeepingInMemory: Record<string, string> = {
  'css:config/storage/key-value/resource-store.json': 'css:config/storage/key-value/memory.json',
  'css:config/util/resource-locker/file.json': 'css:config/util/resource-locker/memory.json',
};

/** The server's own configuration for files, but for the bookkeeping. */
async function writeConfigFile(folder: string): Promise<string> {
  const { resolve } = createRequire(import.meta.url);
  let config = await readFile(resolve('@solid/community-server/config/file.json'), 'utf8');
  for (const [onDisk, inMemory] of Object.entries(bookkeepingInMemory)) {
    config = config.replace(onDisk, inMemory);
  }
  const file = join(folder, 'config.json');
  await writeFile(file, config);
  return file;
}

/** Resolves when the server is ready. Also for servers of tests, which have a configuration of their own. */
export function launch(script: URL, args: readonly string[], port: number): Promise<ChildProcess> {
  const file = fileURLToPath(script);
  const child = fork(file, args, {
    // A larger young generation shortens the start, mostly parsing of JSON, by 0.7 s.
    execArgv: ['--max-semi-space-size=64', ...(file.endsWith('.ts') ? ['--import', 'tsx'] : [])],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString('utf8')).slice(-OUTPUT_KEPT);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      const where = `The embedded Solid server did not start on port ${port}`;
      reject(new AnalyserError('server', `${where}: ${why}. Is the port free?\n${output}`));
    };
    const timer = setTimeout(() => fail('no sign of life for two minutes'), START_TIMEOUT_MS);
    child.once('error', (error) => fail(messageOf(error)));
    child.once('exit', () => fail('the process ended'));
    child.once('message', () => {
      clearTimeout(timer);
      child.removeAllListeners('exit');
      resolve(child);
    });
  });
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await gone;
  clearTimeout(timer);
}

/** They lie below the ports of outgoing connections, which could take one before the server opens it. */
const [FIRST_PORT, AFTER_LAST_PORT] = [22_000, 32_000];

export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, AFTER_LAST_PORT);
    const isFree = await tryPort(port).then(
      () => true,
      () => false,
    );
    if (isFree) return port;
  }
}

async function tryPort(port: number): Promise<void> {
  const probe = createServer().listen(port, '127.0.0.1');
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}
