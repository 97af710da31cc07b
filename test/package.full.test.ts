import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { writeClientPackage } from '../scripts/client-package.js';
import { modes } from './support/modes.js';
import { copySources, packOperators } from './support/packages.js';
import { sharedSolidServer, uniquePodName } from './support/solid-server.js';

/**
 * The package as it is published, in a folder that knows nothing of the repository: what
 * `npm install bp-analyser` leaves there, made offline from the packages that are at hand.
 */
const repository = fileURLToPath(new URL('../', import.meta.url));
const start = promisify(execFile);
let folder: string;
let installed: string;
let home: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bp-package-'));
  installed = join(folder, 'app/node_modules/bp-analyser');
  home = join(folder, 'home');
  await mkdir(home);
  await mkdir(installed, { recursive: true });
  const source = join(folder, 'source');
  await copySources(source);
  const tarball = await packOperators(source);
  await start('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  await installPackages();
}, 300_000);
afterAll(() => rm(folder, { recursive: true }));

/** Copies, not links: through a link Node.js would find the development packages again. */
async function installPackages(): Promise<void> {
  const { stdout } = await start('npm', ['ls', '--omit=dev', '--all', '--parseable'], {
    cwd: repository,
    maxBuffer: 16 * 1024 * 1024,
  });
  const packages = [...new Set(stdout.trim().split('\n'))]
    .map((path) => relative(repository, path))
    .filter((path) => path.startsWith('node_modules/'));
  expect(packages.length).toBeGreaterThan(50);
  for (const name of packages) {
    await cp(join(repository, name), join(folder, 'app', name), {
      recursive: true,
      filter: (path) => !relative(join(repository, name), path).startsWith('node_modules'),
    });
  }
}

const dependencies = z.record(z.string(), z.string()).prefault({});
const manifestSchema = z.object({ dependencies, optionalDependencies: dependencies });

/** What npm would install beside the client; optional packages where this platform has them. */
async function copyWithDependencies(wanted: string[], into: string): Promise<string[]> {
  const names = [...wanted];
  const copied: string[] = [];
  for (const name of names) {
    const from = join(repository, 'node_modules', name);
    if (copied.includes(name) || !existsSync(from)) continue;
    await cp(from, join(into, name), { recursive: true });
    copied.push(name);
    const manifest = manifestSchema.parse(
      JSON.parse(await readFile(join(from, 'package.json'), 'utf8')),
    );
    names.push(...Object.keys(manifest.dependencies));
    names.push(...Object.keys(manifest.optionalDependencies));
  }
  return copied;
}

interface Result {
  code: number | null;
  out: string;
  err: string;
}

function open(args: string[], env: Record<string, string> = {}) {
  const command = join(installed, 'dist/cli/main.js');
  return spawn(process.execPath, [command, ...args], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function run(args: string[], env: Record<string, string> = {}): Promise<Result> {
  const child = open(args, env);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })));
}

/** A mode that serves, once its log says so. */
async function serve(mode: string, sign: string) {
  const child = open([mode]);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line);
    if (line.includes(sign)) {
      return {
        async stop() {
          child.kill('SIGTERM');
          return await ended;
        },
      };
    }
  }
  throw new Error(`${mode} never said "${sign}":\n${lines.join('\n')}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  server.close();
  await once(server, 'close');
  return port;
}

test('nothing in the package is a test, a map or a configuration', async () => {
  const names = await readdir(installed, { recursive: true });
  expect(names).toEqual(
    expect.arrayContaining([
      'dist/cli/main.js',
      'web/styles/base.css',
      'web/inter.woff2',
      'docs/operators.md',
      'docs/examples/python/share_and_read.py',
      'deploy/systemd/bp-analyser.service',
      'proto/healthpod/analyser/v1/analyser.proto',
      'config.example.yaml',
      'CHANGELOG.md',
      'LICENSE',
    ]),
  );
  const odd = /\.test\.(js|d\.ts)$|\.map$|(^|\/)\.env|(^|\/)config\.yaml$|\.built$|node_modules/;
  expect(names.filter((name) => odd.test(name) && name !== 'deploy/container/config.yaml')).toEqual(
    [],
  );
});

test.each(modes.map(({ name }) => name))('the mode %s loads and explains itself', async (name) => {
  const { code, out, err } = await run([...name.split(' '), '--help']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain(`bp-analyser ${name}`);
});

test.each(['test', 'demo'])('the mode %s says in one line what it needs', async (name) => {
  const { code, out, err } = await run([name]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/^[^\n]*(repository|npm install)[^\n]*\n$/);
});

test('every other mode works, from an empty folder on', async () => {
  const { baseUrl } = sharedSolidServer();
  const name = uniquePodName('packed');
  const setup = await run(
    ['setup', '--server', baseUrl, '--email', `${name}@pods.example`, '--pod', name],
    { APP_SETUP_PASSWORD: 'a password', APP_ANALYSER_SECURITY_KEY: 'a security key' },
  );
  expect(setup).toMatchObject({ code: 0 });
  expect(setup.out).toContain('Charts                available');

  const config = join(home, 'config.yaml');
  const [grpcPort, apiPort, metricsPort] = [await freePort(), await freePort(), await freePort()];
  const ports = Object.entries({ grpc: grpcPort, api: apiPort, metrics: metricsPort });
  await appendFile(
    config,
    ports.map(([section, port]) => `${section}: { port: ${port} }\n`).join(''),
  );

  expect(await run(['check'])).toMatchObject({ code: 0 });
  expect(await run(['show-config'])).toMatchObject({ code: 0 });
  // Nobody shares anything there.
  expect(await run(['run-once'])).toMatchObject({ code: 1 });
  expect(await run(['status'])).toMatchObject({ code: 4 });

  const grpc = await serve('grpc', 'serving gRPC on');
  expect(await run(['status'])).toMatchObject({ code: 0 });
  const webId = `${baseUrl}${name}/profile/card#me`;
  expect((await run(['analyse', webId])).out).toContain('ANALYSE_STATUS_NO_DATA');
  expect(await run(['cancel', webId])).toMatchObject({ code: 0 });
  const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).then((answer) =>
    answer.text(),
  );
  expect(metrics).toContain('bp_analyser_analyses_total{outcome="NO_DATA"} 1');
  expect(await grpc.stop()).toBe(0);

  const api = await serve('serve', 'The HTTP API is at');
  for (const path of ['/health', '/docs/', '/', '/style.css']) {
    expect((await fetch(`http://127.0.0.1:${apiPort}${path}`)).status).toBe(200);
  }
  expect(await api.stop()).toBe(0);
  expect((await readdir(join(home, 'var/results'))).length).toBeGreaterThan(1);
});

test('the client package works without the service, and is small', async () => {
  const home = join(folder, 'client-app');
  const client = join(home, 'node_modules/bp-analyser-client');
  await writeClientPackage(join(folder, 'source/dist'), client);
  expect(await readFile(join(client, 'README.md'), 'utf8')).toContain('| `aborted` |');
  expect(existsSync(join(client, 'proto/healthpod/analyser/v1/analyser.proto'))).toBe(true);
  const { dependencies } = manifestSchema.parse(
    JSON.parse(await readFile(join(client, 'package.json'), 'utf8')),
  );
  for (const name of ['d3-shape', 'fastify', 'bullmq', 'typescript', '@resvg/resvg-js']) {
    expect(Object.keys(dependencies)).not.toContain(name);
  }
  const names = await copyWithDependencies(Object.keys(dependencies), join(home, 'node_modules'));
  expect(names).not.toContain('typescript');
  const { stdout: size } = await start('du', ['-sm', join(home, 'node_modules')]);
  expect(Number.parseInt(size, 10)).toBeLessThanOrEqual(60);

  const script = `
    import { dial, callStatus, openOwnPod, parseNewReading } from 'bp-analyser-client';
    const code = (error) => error.code;
    const connection = dial({ host: '127.0.0.1', port: 9, certificateFile: null, token: null });
    const webId = process.argv[1] + 'nobody/profile/card#me';
    const credentials = { clientId: 'none', clientSecret: 'none' };
    console.log(await callStatus(connection).catch(code));
    console.log(await openOwnPod({ webId, securityKey: 'k', credentials }).catch(code));
    connection.close();`;
  const { stdout: told } = await start(
    process.execPath,
    ['--input-type=module', '--eval', script, sharedSolidServer().baseUrl],
    { cwd: home },
  );
  expect(told).toBe('unreachable\ncredentials-rejected\n');
});

test('the client library loads by its name', async () => {
  const script = `const client = await import('bp-analyser/client'); console.log(Object.keys(client).length > 3);`;
  const { stdout } = await start(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: join(folder, 'app'),
  });
  expect(stdout).toBe('true\n');
});
