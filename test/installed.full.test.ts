import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { transformWithEsbuild } from 'vite';
import { expect, test } from 'vitest';
import { findFreePort } from '../src/embedded-server/embedded-server.js';
import { startChild } from './grpc/child-service.js';
import { writeConfigFile } from './support/config-file.js';
import { createInitialisedPod } from './support/initialised-pod.js';
import { modes } from './support/modes.js';
import { blockOf, lineOf } from './support/pages.js';
import { sharedSolidServer } from './support/solid-server.js';
import { newFolder } from './support/temp-folder.js';

/** Both packages, made on a fresh clone as the pages say, installed into empty folders, and what the pages do with them. */
const repository = fileURLToPath(new URL('../', import.meta.url));
const server = sharedSolidServer();
const COMMIT = 'v9.9.9-1-g1234567';
const folder = await newFolder();
const limit = { timeout: 300_000 };

/** As somebody pastes it; answers what it says. */
async function paste(line: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { cwd, env });
  return stdout;
}

/** By the one that runs here; what npm has fetched before is not asked for again. */
const npmEnv = { ...process.env, npm_config_prefer_offline: 'true', npm_config_loglevel: 'error' };

const checkout = join(folder, 'bp-analyser');
await mkdir(checkout);
const clone = `git ls-files -z --cached --others --exclude-standard |
  tar --create --null --ignore-failed-read --files-from=- | tar --extract --directory '${checkout}'`;
await paste(clone, repository, process.env);
const fresh = await withoutInstalling();
const app = await installClient(await packClient(fresh));
const command = await installOperators(await packOperators(fresh));

/** Of a machine on which nothing is installed; `npm ci` finds what is at hand in place of the network. */
async function withoutInstalling(): Promise<NodeJS.ProcessEnv> {
  const npm = (await paste('command -v npm', repository, process.env)).trim();
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const instead = `#!/bin/sh
if [ "$1" = ci ]; then
  case "$*" in *'--prefix tools'*) packages=tools/node_modules ;; *) packages=node_modules ;; esac
  exec ln -s "${repository}$packages" "$packages"
fi
exec '${npm}' "$@"
`;
  await writeFile(join(bin, 'npm'), instead, { mode: 0o755 });
  const PATH = [bin, process.env['PATH']].join(delimiter);
  return { ...process.env, PATH, BUILD_COMMIT: COMMIT };
}

/** As README.md has it, in an app beside the checkout. What it installs is only named here. */
async function packClient(env: NodeJS.ProcessEnv): Promise<string> {
  const beside = join(folder, 'beside');
  await mkdir(beside);
  const line = (await lineOf('README.md', 'pack:client')).replace(/^npm install/, 'printf %s');
  return await paste(line, beside, env);
}

/** As docs/operators.md has it, where a service runs from the build before. */
async function packOperators(env: NodeJS.ProcessEnv): Promise<string> {
  const main = join(checkout, 'dist/cli/main.js');
  expect(existsSync(dirname(main))).toBe(false);
  await mkdir(dirname(main), { recursive: true });
  await writeFile(main, 'of the build before');
  await writeFile(join(checkout, 'bp-analyser-0.0.1.tgz'), 'an older package');
  let missing = 0;
  const watch = setInterval(() => {
    if (!existsSync(main)) missing += 1;
  }, 10);
  const line = `${await lineOf('docs/operators.md', 'npm pack')}\nprintf %s "$package"`;
  const made = await paste(line, checkout, env).finally(() => clearInterval(watch));
  expect(basename(made)).toMatch(/^bp-analyser-\d+\.\d+\.\d+\.tgz$/);
  expect(missing).toBe(0);
  return made;
}

/** As docs/operators.md has it, below a folder and without root; answers the command. */
async function installOperators(made: string): Promise<string> {
  const line = await lineOf('docs/operators.md', 'npm install --prefix /opt/bp-analyser ');
  const own = line.replace('sudo ', '').replace('/opt/', `${folder}/opt/`);
  await paste(own, folder, { ...npmEnv, package: made });
  return join(folder, 'opt/bp-analyser/node_modules/.bin/bp-analyser');
}

/** As README.md has it, in an app that has the example of docs/app-developers.md; answers its folder. */
async function installClient(made: string): Promise<string> {
  const home = join(folder, 'app');
  await mkdir(home);
  await writeFile(join(home, 'package.json'), '{"name": "app", "type": "module"}');
  await paste(`npm install ${made}`, home, npmEnv);
  const example = await blockOf('docs/app-developers.md', 'ts', 'recordAndAnalyse');
  await writeFile(join(home, 'example.ts'), example);
  const { code } = await transformWithEsbuild(example, 'example.ts');
  await writeFile(join(home, 'example.js'), code);
  const call = `import { recordAndAnalyse } from './example.js';
const { settings, analyser } = JSON.parse(process.env.EXAMPLE);
const { signal } = new AbortController();
console.log(process.version, await recordAndAnalyse(settings, analyser, 'chart.png', signal));
`;
  await writeFile(join(home, 'main.js'), call);
  return home;
}

/** The environment in which `node` is of this version: the one that runs here, or one that npm installs. */
async function withNode(major: number): Promise<NodeJS.ProcessEnv> {
  if (process.versions.node.startsWith(`${major}.`)) return process.env;
  const name = `node-${process.platform}-${process.arch}`;
  const prefix = join(folder, `node-${major}`);
  const install = `npm install --no-save --ignore-scripts --prefix '${prefix}' ${name}@${major}`;
  await paste(install, folder, npmEnv);
  const PATH = [join(prefix, 'node_modules', name, 'bin'), process.env['PATH']].join(delimiter);
  return { ...process.env, PATH };
}

/** The oldest, the one of the image, and the newest. What npm installs is the same for each. */
test.for([20, 24, 26])('both packages work together on Node.js %i', limit, async (version) => {
  const env = await withNode(version);
  const home = join(folder, `on-${version}`);
  await mkdir(home);
  const analyser = await createInitialisedPod(server);
  const alice = await createInitialisedPod(server);
  const port = await findFreePort();
  await writeConfigFile(home, analyser, { grpc: { host: '127.0.0.1', port } });
  const shown = await paste(`'${command}' show-config`, home, env);
  expect(shown).toContain(`web_id: ${analyser.pod.webId}\n`);

  await using service = await startChild(['grpc'], home, env, command);
  await expect.poll(() => service.client.status()).toMatchObject({ ready: true });
  const { webId, clientId, clientSecret } = alice.account;
  const { securityKey } = alice;
  const EXAMPLE = JSON.stringify({
    settings: { webId, securityKey, credentials: { clientId, clientSecret } },
    analyser: {
      analyserWebId: analyser.pod.webId,
      service: { host: '127.0.0.1', port, certificateFile: null, token: null },
    },
  });
  const said = await paste('node main.js', app, { ...env, EXAMPLE });
  expect(said).toMatch(new RegExp(`^v${version}\\.\\S+ Systolic 118 mm Hg\\n$`));
  expect((await readFile(join(app, 'chart.png'))).subarray(1, 4).toString()).toBe('PNG');
  service.child.kill('SIGTERM');
  expect(await service.exit).toEqual([0, null]);
});

/** What it shows: client/demo.full.test.ts. */
test('the demo of the package runs where the server is beside it', limit, async () => {
  // What `npm install @solid/community-server` would bring is at hand.
  await symlink(join(repository, 'node_modules/@solid'), join(dirname(command), '../@solid'));
  const said = await paste(`'${command}' demo --once`, folder, process.env);
  expect(said).toContain('Everything is removed now.');
});

test('nothing in the package is a test, a map or a configuration, and it has every mode', async () => {
  const installed = join(dirname(command), '../bp-analyser');
  const names = await readdir(installed, { recursive: true });
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
  const run = (words: string) => paste(`{ '${command}' ${words}; } 2>&1`, folder, process.env);
  expect(await run('--version')).toContain(`(${COMMIT})`);
  const help = await run('--help');
  for (const { name } of modes) expect(help).toContain(`  ${name.split(' ')[0]} `);
  expect(await run('test; echo $?')).toMatch(/repository.*\n2\n$/s);
});

test('the client package is small, and the other one has the client by its name', async () => {
  const size = await paste('du -sm node_modules', app, process.env);
  expect(Number.parseInt(size, 10)).toBeLessThanOrEqual(60);
  const packages = await readdir(join(app, 'node_modules'));
  for (const name of ['d3-scale', 'fastify', 'bullmq', 'typescript', '@resvg']) {
    expect(packages).not.toContain(name);
  }
  const load = (client: string) => `node --input-type=module --eval "
    console.log(typeof (await import('${client}')).openOwnPod);
    console.log(typeof (await import('${client}/testing')).startTestAnalyser)"`;
  const beside = join(folder, 'opt/bp-analyser');
  const loaded = 'function\nfunction\n';
  expect(await paste(load('bp-analyser/client'), beside, process.env)).toBe(loaded);
  expect(await paste(load('bp-analyser-client'), app, process.env)).toBe(loaded);
});

test('the client package has the types of all that it exports', async () => {
  await writeFile(join(app, 'testing.ts'), "export * from 'bp-analyser-client/testing';");
  // Without --skipLibCheck: each declaration that another one names must be there.
  const compile = `'${repository}tools/node_modules/.bin/tsc' --noEmit --strict --module nodenext --target es2023
    --lib es2023 --types node --typeRoots '${repository}node_modules/@types' example.ts testing.ts`;
  expect(await paste(compile.replace(/\s+/g, ' '), app, process.env)).toBe('');
});
