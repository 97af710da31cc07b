import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { transformWithEsbuild } from 'vite';
import { afterAll, beforeAll, expect, onTestFinished, type TestContext, test } from 'vitest';
import { messageOf } from '../src/base/errors.js';
import type { Analyser, OwnPodSettings } from '../src/client/client.js';
import { findFreePort } from '../src/embedded-server/embedded-server.js';
import { PlainClient } from './grpc/plain-client.js';
import { writeConfigFile } from './support/config-file.js';
import { createInitialisedPod } from './support/initialised-pod.js';
import { modes } from './support/modes.js';
import { blockOf, lineOf } from './support/pages.js';
import { sharedSolidServer } from './support/solid-server.js';

/** Both packages, made on a fresh clone as the pages say, installed into empty folders, and what the pages do with them. */
const repository = fileURLToPath(new URL('../', import.meta.url));
const start = promisify(execFile);
const server = sharedSolidServer();
/** The oldest, the one of the image, and the newest. */
const versions = [20, 24, 26];
const COMMIT = 'v9.9.9-1-g1234567';
let folder: string;
let checkout: string;
/** Of a machine on which nothing is installed; `npm ci` finds what is at hand in place of the network. */
let fresh: NodeJS.ProcessEnv;
let operators: string;
let client: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bp-installed-'));
  checkout = join(folder, 'bp-analyser');
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout: files } = await start('git', listing, { cwd: repository });
  for (const file of files.split('\0').filter((name) => existsSync(join(repository, name)))) {
    if (file !== '') await cp(join(repository, file), join(checkout, file));
  }
  const npm = (await start('sh', ['-c', 'command -v npm'])).stdout.trim();
  await mkdir(join(folder, 'bin'));
  const instead = `#!/bin/sh
if [ "$1" = ci ]; then
  case "$*" in *'--prefix tools'*) packages=tools/node_modules ;; *) packages=node_modules ;; esac
  exec ln -s "${repository}$packages" "$packages"
fi
exec '${npm}' "$@"
`;
  await writeFile(join(folder, 'bin/npm'), instead, { mode: 0o755 });
  const PATH = [join(folder, 'bin'), process.env['PATH']].join(delimiter);
  fresh = { ...process.env, PATH, BUILD_COMMIT: COMMIT };
  client = await packClient();
}, 300_000);
afterAll(() => rm(folder, { recursive: true }));

/** As README.md has it, in an app beside the checkout. What it installs is only named here. */
async function packClient(): Promise<string> {
  const beside = join(folder, 'beside');
  await mkdir(beside);
  const line = (await lineOf('README.md', 'pack:client')).replace(/^npm install/, 'printf %s');
  return (await start('sh', ['-c', line], { cwd: beside, env: fresh })).stdout;
}

/** As docs/operators.md has it, where a service runs from the build before. */
beforeAll(async () => {
  expect(existsSync(join(checkout, 'dist'))).toBe(false);
  await mkdir(join(checkout, 'dist/cli'), { recursive: true });
  await writeFile(join(checkout, 'dist/cli/main.js'), 'of the build before');
  await writeFile(join(checkout, 'bp-analyser-0.0.1.tgz'), 'an older package');
  const line = await lineOf('docs/operators.md', 'npm pack');
  const packing = start('sh', ['-c', `${line}\nprintf %s "$package"`], {
    cwd: checkout,
    env: fresh,
  });
  let missing = 0;
  const watch = setInterval(() => {
    if (!existsSync(join(checkout, 'dist/cli/main.js'))) missing += 1;
  }, 10);
  operators = (await packing.finally(() => clearInterval(watch))).stdout;
  expect(basename(operators)).toMatch(/^bp-analyser-\d+\.\d+\.\d+\.tgz$/);
  expect(missing).toBe(0);
}, 300_000);

/**
 * For npm's environment: what it has fetched before is not asked for again, no network is waited for, and npm finds its
 * settings here also on another Node.js, beside which it would look for them.
 */
function registryEnv(): Record<string, string> {
  const settings = execFileSync('npm', ['config', 'get', 'globalconfig'], { encoding: 'utf8' });
  return {
    npm_config_globalconfig: settings.trim(),
    npm_config_prefer_offline: 'true',
    npm_config_fetch_retries: '0',
  };
}

interface Place {
  home: string;
  env: NodeJS.ProcessEnv;
}

/** An empty folder, and an environment with this version of Node.js. */
async function openPlace(version: number): Promise<Place> {
  const home = join(folder, `on-${version}`);
  await mkdir(home);
  const node = await findNode(version);
  const PATH = [node, process.env['PATH']].join(delimiter);
  return { home, env: { ...process.env, ...registryEnv(), PATH, TMPDIR: home } };
}

/** The folder with the program `node` of this version: the one that runs here, or one that npm installs. */
async function findNode(major: number): Promise<string> {
  if (process.versions.node.startsWith(`${major}.`)) return dirname(process.execPath);
  const name = `node-${process.platform}-${process.arch}`;
  const prefix = join(folder, `node-${major}`);
  const install = ['install', '--loglevel=error', '--no-save', '--ignore-scripts'];
  await start('npm', [...install, '--prefix', prefix, `${name}@${major}`], {
    env: { ...process.env, ...registryEnv() },
  });
  return join(prefix, 'node_modules', name, 'bin');
}

/** As docs/operators.md has it, below a folder and without root; answers the command. */
async function installOperators({ home, env }: Place): Promise<string> {
  const line = await lineOf('docs/operators.md', 'npm install --prefix /opt/bp-analyser ');
  const command = line.replace('sudo ', '').replace('/opt/', `${home}/`);
  await start('sh', ['-c', command], { env: { ...env, package: operators } });
  return join(home, 'bp-analyser/node_modules/.bin/bp-analyser');
}

/** As README.md has it, in an app that has the example of docs/app-developers.md; answers its folder. */
async function installClient({ home, env }: Place): Promise<string> {
  const app = join(home, 'app');
  await mkdir(app);
  await writeFile(join(app, 'package.json'), '{"name": "app", "type": "module"}');
  await start('npm', ['install', client], { cwd: app, env });
  const example = await blockOf('docs/app-developers.md', 'ts', 'recordAndAnalyse');
  await writeFile(join(app, 'example.ts'), example);
  const { code } = await transformWithEsbuild(example, 'example.ts');
  await writeFile(join(app, 'example.js'), code);
  return app;
}

async function installBoth(version: number) {
  const place = await openPlace(version);
  return { ...place, command: await installOperators(place), app: await installClient(place) };
}

const installations = new Map<number, ReturnType<typeof installBoth>>();

/** For the test that asks first; the others find it. Left out where no registry answers; in CI one must. */
async function installed(version: number, skip: TestContext['skip']) {
  const installation = installations.get(version) ?? installBoth(version);
  installations.set(version, installation);
  try {
    return await installation;
  } catch (error) {
    const isUnreachable = /E(?:NOTFOUND|AI_AGAIN|CONNREFUSED|TIMEDOUT)/.test(messageOf(error));
    if (process.env['CI'] !== undefined || !isUnreachable) throw error;
    return skip('No package registry can be reached, so nothing was installed from it.');
  }
}

/** The service on this port, once it is ready. */
async function startService({ home, env }: Place, command: string, port: number) {
  const child = spawn(command, ['grpc'], { cwd: home, env, stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const client = new PlainClient(port);
  const status = () => client.status().catch(() => ({ ready: false }));
  // What it said is shown where it does not get ready.
  await expect
    .poll(async () => [await status(), said, child.exitCode])
    .toEqual([expect.objectContaining({ ready: true }), expect.anything(), null]);
  client.close();
  return child;
}

const callExample = `import { recordAndAnalyse } from './example.js';
const { settings, analyser } = JSON.parse(process.argv[2]);
const { signal } = new AbortController();
console.log(process.version, await recordAndAnalyse(settings, analyser, 'chart.png', signal));
`;

async function runExample(app: string, env: NodeJS.ProcessEnv, settings: ExampleSettings) {
  await writeFile(join(app, 'main.js'), callExample);
  const args = ['main.js', JSON.stringify(settings)];
  return (await start('node', args, { cwd: app, env })).stdout;
}

interface ExampleSettings {
  settings: OwnPodSettings;
  analyser: Analyser;
}

test.for(versions)(
  'both packages install into an empty folder and work together on Node.js %i',
  { timeout: 300_000 },
  async (version, { skip }) => {
    const { home, env, command, app } = await installed(version, skip);
    const analyser = await createInitialisedPod(server);
    onTestFinished(() => analyser.close());
    const alice = await createInitialisedPod(server);
    onTestFinished(() => alice.close());
    const port = await findFreePort();
    await writeConfigFile(home, analyser, { grpc: { host: '127.0.0.1', port } });

    const shown = await start(command, ['show-config'], { cwd: home, env });
    expect(shown.stdout).toContain(`web_id: ${analyser.pod.webId}\n`);

    const service = await startService({ home, env }, command, port);
    const { webId, clientId, clientSecret } = alice.account;
    const { securityKey } = alice;
    const said = await runExample(app, env, {
      settings: { webId, securityKey, credentials: { clientId, clientSecret } },
      analyser: {
        analyserWebId: analyser.pod.webId,
        service: { host: '127.0.0.1', port, certificateFile: null, token: null },
      },
    });
    expect(said).toMatch(new RegExp(`^v${version}\\.\\S+ Systolic 118 mm Hg\\n$`));
    expect((await readFile(join(app, 'chart.png'))).subarray(1, 4).toString()).toBe('PNG');

    const ended = once(service, 'exit');
    service.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  },
);

/** On the version on which least is tested otherwise. */
test('the demo of the package runs where the server is beside it', { timeout: 300_000 }, async ({
  skip,
}) => {
  const { home, env, command } = await installed(24, skip);
  // What `npm install @solid/community-server` would bring is at hand.
  await symlink(join(repository, 'node_modules/@solid'), join(dirname(command), '../@solid'));
  const { stdout } = await start(command, ['demo', '--once'], { cwd: home, env });
  // Seeded readings: the same figures on every machine and every day.
  expect(stdout).toMatch(/^cohort average +127\.5 +81\.5 +69\.2$/m);
  expect(stdout).toContain('The analysis covers 65 of the 65 readings.');
  expect(stdout).toContain('Everything is removed now.');
  expect((await readdir(home)).filter((name) => name.startsWith('bp-analyser-'))).toEqual([]);
});

test('nothing in the package is a test, a map or a configuration, and every mode in it loads', async ({
  skip,
}) => {
  const { home, env, command } = await installed(24, skip);
  const names = await readdir(join(home, 'bp-analyser/node_modules/bp-analyser'), {
    recursive: true,
  });
  const some = [
    'docs/operators.md',
    'docs/examples/python/share_and_read.py',
    'deploy/systemd/bp-analyser.service',
    'proto/healthpod/analyser/v1/analyser.proto',
    'config.example.yaml',
    'web/styles/base.css',
    'CHANGELOG.md',
    'LICENSE',
  ];
  expect(names).toEqual(expect.arrayContaining(some));
  const odd = /\.test\.(js|d\.ts)$|\.map$|(^|\/)\.env|(^|\/)config\.yaml$|\.built$|node_modules/;
  expect(names.filter((name) => odd.test(name))).toEqual(['deploy/container/config.yaml']);
  const version = await start(command, ['--version'], { env });
  expect(version.stdout).toContain(`(${COMMIT})`);
  for (const { name } of modes) {
    const { stdout, stderr } = await start(command, [...name.split(' '), '--help'], { env });
    expect([stdout.includes(`bp-analyser ${name}`), stderr]).toEqual([true, '']);
  }
  const untested = start(command, ['test'], { env });
  await expect(untested).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/repository/),
  });
});

test('the client package is small, and the other one has the client by its name', async ({
  skip,
}) => {
  const { home, env, app } = await installed(24, skip);
  const { stdout } = await start('du', ['-sm', join(app, 'node_modules')]);
  expect(Number.parseInt(stdout, 10)).toBeLessThanOrEqual(60);
  const packages = await readdir(join(app, 'node_modules'));
  for (const name of ['d3-shape', 'fastify', 'bullmq', 'typescript', '@resvg']) {
    expect(packages).not.toContain(name);
  }
  const script = `console.log(typeof (await import('bp-analyser/client')).openOwnPod)`;
  const loaded = await start('node', ['--input-type=module', '--eval', script], {
    cwd: join(home, 'bp-analyser'),
    env,
  });
  expect(loaded.stdout).toBe('function\n');
});

test('the client package has the types of all that it exports', async ({ skip }) => {
  const { app } = await installed(24, skip);
  const types = ['--types', 'node', '--typeRoots', join(repository, 'node_modules/@types')];
  const target = ['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023'];
  const compiler = join(repository, 'tools/node_modules/.bin/tsc');
  // Without --skipLibCheck: each declaration that another one names must be there.
  const compiling = start(compiler, ['--noEmit', '--strict', ...target, ...types, 'example.ts'], {
    cwd: app,
  });
  await expect(compiling).resolves.toMatchObject({ stdout: '' });
});
