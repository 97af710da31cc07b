import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type ClientUnaryCall, credentials } from '@grpc/grpc-js';
import { startEmbeddedServer } from '../src/cli/demo/embedded-server.js';
import { AnalyserClient, AnalyseStatus } from '../src/generated/healthpod/analyser/v1/analyser.js';
import {
  createAccount,
  createAccountPod,
  issueClientCredentials,
} from '../src/solid/css-account.js';
import { buildPodWorld } from './support/pod-world.js';

/**
 * `npm run soak -- MINUTES`: an hour of mixed calls in a few minutes. Analyses, cancels, callers
 * that hang up, a storage server that restarts and tokens that expire; then every call must have
 * ended once, and the process must hold no more than after its first minute.
 */
const minutes = Number(process.argv[2] ?? 3);
const MOST_GROWTH_MB = 80;
const MOST_MORE_FILES = 12;
const CALLERS = 6;

const server = await startEmbeddedServer({ tokenLifetimeSeconds: 15 });
const folder = await mkdtemp(join(tmpdir(), 'bp-soak-'));
try {
  process.exitCode = (await soak()) ? 0 : 1;
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

async function soak(): Promise<boolean> {
  const { baseUrl } = server;
  const login = { email: 'analyser@pods.example', password: 'of no use elsewhere' };
  const account = await createAccount(baseUrl, login);
  const { webId } = await createAccountPod(account, 'analyser');
  const { clientId, clientSecret } = await issueClientCredentials(account, { name: 'soak', webId });
  const world = await buildPodWorld(baseUrl, { pods: CALLERS, readingsPerPod: 5 });
  for (const [url, turtle] of world.documents) {
    const path = join(server.rootDir, decodeURIComponent(new URL(url).pathname));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, turtle);
  }
  const config = `analyser: {web_id: "${webId}", server_url: "${baseUrl}"}\ngrpc: {host: 127.0.0.1, port: 0}\n`;
  await writeFile(join(folder, 'config.yaml'), config, { mode: 0o600 });
  const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), main, 'grpc'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      APP_ANALYSER_SECURITY_KEY: world.securityKey,
      APP_ANALYSER_CLIENT_ID: clientId,
      APP_ANALYSER_CLIENT_SECRET: clientSecret,
    },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const exit = once(child, 'exit');
  const port = await findPort(child.stderr);
  const pid = child.pid ?? 0;
  const client = new AnalyserClient(`127.0.0.1:${port}`, credentials.createInsecure());

  const end = Date.now() + minutes * 60_000;
  const warm = Date.now() + Math.min(60_000, minutes * 20_000);
  const counts = new Map<string, number>();
  let [started, ended] = [0, 0];
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);

  async function call(caller: string, round: number): Promise<void> {
    started += 1;
    const request = { web_id: caller, shared_file_count: 0, requested_at: '' };
    let sent: ClientUnaryCall | undefined;
    const answered = new Promise<void>((resolve) => {
      sent = client.analyse(request, (error, reply) => {
        ended += 1;
        count(error === null ? AnalyseStatus[reply.status] : `gRPC ${error.code}`);
        resolve();
      });
    });
    if (round % 5 === 3) {
      await pause(Math.random() * 300);
      await new Promise((resolve) => client.cancel({ web_id: caller, requested_at: '' }, resolve));
    }
    if (round % 5 === 4) {
      await pause(Math.random() * 300);
      sent?.cancel();
    }
    await answered;
  }

  const callers = world.contributors.map(async ({ webId: caller }) => {
    for (let round = 0; Date.now() < end; round += 1) await call(caller, round);
  });
  const restarts = (async () => {
    while (Date.now() + 30_000 < end) {
      await pause(25_000);
      await server.pause();
      await pause(2_000);
      await server.resume();
      count('server restarts');
    }
  })();
  await pause(Math.max(0, warm - Date.now()));
  const early = await measure(pid);
  await Promise.all([...callers, restarts]);
  client.close();
  // Idle threads and connections end by themselves.
  await pause(12_000);
  const late = await measure(pid);
  child.kill('SIGTERM');
  await exit;
  const { exitCode } = child;

  console.log(Object.fromEntries(counts));
  console.table({ 'after the first minute': early, 'at the end': late });
  console.log(`${started} analyses asked for, ${ended} ended; exit code ${exitCode}.`);
  const isSound =
    started === ended &&
    exitCode === 0 &&
    late.memoryMb - early.memoryMb < MOST_GROWTH_MB &&
    late.files - early.files < MOST_MORE_FILES;
  console.log(isSound ? 'Nothing leaked, every call was answered once.' : 'This is not sound.');
  return isSound;
}

async function findPort(log: NodeJS.ReadableStream): Promise<number> {
  const lines = createInterface({ input: log });
  return new Promise((resolve) => {
    lines.on('line', (line) => {
      const port = /serving gRPC on 127\.0\.0\.1:(\d+)/.exec(line)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
  });
}

/** Open files are sockets as well. */
async function measure(pid: number): Promise<{ memoryMb: number; files: number; threads: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  const files = (await readdir(`/proc/${pid}/fd`)).length;
  return { memoryMb: Math.round(field('VmRSS') / 1024), files, threads: field('Threads') };
}
