import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type ClientUnaryCall, credentials, status } from '@grpc/grpc-js';
import { z } from 'zod';
import { AnalyserClient, AnalyseStatus } from '../src/generated/healthpod/analyser/v1/analyser.js';
import {
  createAccount,
  createAccountPod,
  issueClientCredentials,
} from '../src/solid/css-account.js';
import { startConfiguredServer } from '../test/support/configured-server.js';
import { buildPodWorld } from './support/pod-world.js';

/**
 * `npm run soak -- MINUTES`: an hour of mixed calls in a few minutes. Analyses, cancels, callers
 * that hang up, a storage server that restarts and tokens that expire. Every call must be answered
 * once, and whenever the callers rest, the process must hold no more than at its first rest.
 */
const minutes = Number(process.argv[2] ?? 3);
const PARTS = 5;
/** Idle threads and connections end by themselves within that time. */
const REST_MS = 12_000;
const MOST_GROWTH_MB = 5;
/** Of the whole process: the system takes memory back when it likes. */
const MOST_RESIDENT_GROWTH_MB = 150;
const CALLERS = 6;
const wanted = ['COMPLETED', 'CANCELLED', 'hung up', 'server restarts'];

const held = z.object({
  /** What is reachable, in the heap and beside it, once everything else was collected. */
  heapMb: z.number(),
  buffersMb: z.number(),
  residentMb: z.number(),
  /** Sockets among them. */
  files: z.number(),
  threads: z.number(),
  /** All that keeps the process alive, timers among it. */
  active: z.record(z.string(), z.number()),
});
type Held = z.infer<typeof held>;

const server = await startConfiguredServer({ tokenLifetimeSeconds: 15 });
const folder = await mkdtemp(join(tmpdir(), 'bp-soak-'));
const heldFile = join(folder, 'held.json');
const { child, callers } = await startService();
try {
  process.exitCode = (await soak()) ? 0 : 1;
} finally {
  child.kill('SIGKILL');
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

async function soak(): Promise<boolean> {
  const exit = once(child, 'exit');
  const port = await findPort(child);
  const client = new AnalyserClient(`127.0.0.1:${port}`, credentials.createInsecure());
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  /** How often each call was answered. */
  const answers: number[] = [];

  async function call(caller: string, round: number): Promise<void> {
    const number = answers.push(0) - 1;
    const request = { web_id: caller, shared_file_count: 0, requested_at: '' };
    let sent: ClientUnaryCall | undefined;
    const answered = new Promise<void>((resolve) => {
      sent = client.analyse(request, (error, reply) => {
        answers[number] = (answers[number] ?? 0) + 1;
        count(
          error === null
            ? nameOf(reply.status)
            : error.code === status.CANCELLED
              ? 'hung up'
              : error.message,
        );
        resolve();
      });
    });
    if (round % 5 === 3) {
      await pause(Math.random() * 1_000);
      await new Promise((resolve) => client.cancel({ web_id: caller, requested_at: '' }, resolve));
    }
    if (round % 5 === 4) {
      await pause(Math.random() * 1_000);
      sent?.cancel();
    }
    await answered;
  }

  async function callFor(milliseconds: number): Promise<void> {
    const end = Date.now() + milliseconds;
    const calling = callers.map(async (caller) => {
      for (let round = 0; Date.now() < end; round += 1) await call(caller, round);
    });
    await pause(milliseconds / 2);
    await server.pause();
    await pause(2_000);
    await server.resume();
    count('server restarts');
    await Promise.all(calling);
  }

  const samples: Held[] = [];
  for (let part = 1; part <= PARTS; part += 1) {
    await callFor((minutes * 60_000) / PARTS);
    await pause(REST_MS);
    const sample = await ask(child);
    console.log(`${part} of ${PARTS}:`, JSON.stringify(sample), `${answers.length} analyses`);
    samples.push(sample);
  }
  client.close();
  child.kill('SIGTERM');
  const [exitCode] = z.tuple([z.number().nullable(), z.unknown()]).parse(await exit);

  console.log(Object.fromEntries(counts));
  const problems = [
    ...wanted.filter((what) => !counts.has(what)).map((what) => `never seen: ${what}`),
    ...findGrowth(samples),
    ...(answers.every((times) => times === 1) ? [] : ['some call was not answered exactly once']),
    ...(exitCode === 0 ? [] : [`exit code ${exitCode}`]),
  ];
  console.log(`${answers.length} analyses in ${minutes} minutes.`);
  console.log(problems.length === 0 ? 'Nothing leaked, every call was answered once.' : problems);
  return problems.length === 0;
}

function nameOf(outcome: AnalyseStatus): string {
  return AnalyseStatus[outcome].replace('ANALYSE_STATUS_', '');
}

/** What the process holds more of at its last rest than at its first. */
function findGrowth(samples: readonly Held[]): string[] {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) return ['nothing was measured'];
  const more = (what: string, before: number, after: number, allowed: number) =>
    after - before > allowed ? [`${what}: ${before}, then ${after}`] : [];
  return [
    ...more('heap', first.heapMb, last.heapMb, MOST_GROWTH_MB),
    ...more('buffers', first.buffersMb, last.buffersMb, MOST_GROWTH_MB),
    ...more('resident', first.residentMb, last.residentMb, MOST_RESIDENT_GROWTH_MB),
    ...more('files', first.files, last.files, 0),
    ...more('threads', first.threads, last.threads, 0),
    ...Object.entries(last.active).flatMap(([kind, now]) =>
      more(kind, first.active[kind] ?? 0, now, 0),
    ),
  ];
}

/** The mode `grpc`, and those who share with it. */
async function startService(): Promise<{ child: ChildProcess; callers: string[] }> {
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
  const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const args = [
    '--import',
    import.meta.resolve('tsx'),
    '--import',
    here('support/report-held.mjs'),
  ];
  const child = spawn(process.execPath, [...args, here('../src/cli/main.ts'), 'grpc'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      APP_ANALYSER_SECURITY_KEY: world.securityKey,
      APP_ANALYSER_CLIENT_ID: clientId,
      APP_ANALYSER_CLIENT_SECRET: clientSecret,
      HELD_FILE: heldFile,
    },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  return { child, callers: world.contributors.map((one) => one.webId) };
}

async function findPort({ stderr }: ChildProcess): Promise<number> {
  if (stderr === null) throw new Error('The log of the service cannot be read.');
  const lines = createInterface({ input: stderr });
  return new Promise((resolve) => {
    lines.on('line', (line) => {
      const port = /serving gRPC on 127\.0\.0\.1:(\d+)/.exec(line)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
  });
}

async function ask(process: ChildProcess): Promise<Held> {
  await rm(heldFile, { force: true });
  process.kill('SIGUSR2');
  for (;;) {
    await pause(100);
    const text = await readFile(heldFile, 'utf8').catch(() => null);
    if (text !== null) return held.parse(JSON.parse(text));
  }
}
