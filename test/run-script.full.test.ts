import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { waitForEnd } from './support/child-process.js';
import { folderForEach } from './support/temp-folder.js';

/** A project small enough to be installed and built in a second, around the real run.sh. */
const repository = fileURLToPath(new URL('../', import.meta.url));

const packageJson = {
  name: 'small',
  version: '1.0.0',
  dependencies: { dependency: 'file:dependency' },
  scripts: { build: 'rm -rf dist && mkdir -p dist/cli && cp src/main.js dist/cli' },
};

const mainProgram = `
  if (process.argv[2] === 'wait') {
    process.on('SIGTERM', () => process.exit(7));
    setInterval(() => {}, 1000);
    console.log('waiting');
  } else {
    console.log(JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd() }));
    process.exitCode = 3;
  }
`;

const folder = folderForEach();
let project: string;
let script: string;

beforeEach(async () => {
  project = join(folder(), 'a project');
  script = join(project, 'run.sh');
  for (const name of ['dependency', 'src', 'web', 'scripts', 'docs']) {
    await mkdir(join(project, name), { recursive: true });
  }
  const files: Record<string, string> = {
    'package.json': JSON.stringify(packageJson),
    'package-lock.json': JSON.stringify({
      name: 'small',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': { name: 'small', version: '1.0.0', dependencies: packageJson.dependencies },
        dependency: { version: '1.0.0' },
        'node_modules/dependency': { resolved: 'dependency', link: true },
      },
    }),
    'tsconfig.json': '{}',
    'dependency/package.json': '{"name": "dependency", "version": "1.0.0"}',
    'src/main.js': mainProgram,
    'docs/troubleshooting.md': '# Troubleshooting',
  };
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(project, name), content);
  }
  for (const name of ['run.sh', 'scripts/is-installed.mjs', 'scripts/source-checksum.sh']) {
    await cp(join(repository, name), join(project, name));
  }
});

const start = (command: string, args: string[], env: NodeJS.ProcessEnv = process.env) =>
  spawn(command, args, { cwd: folder(), env, stdio: ['ignore', 'pipe', 'pipe'] });
const run = (...args: string[]) => waitForEnd(start(script, args));

const lines = {
  installing:
    'Installing the locked versions of the dependencies (npm ci): some 190 MB the first time, about a minute…\n',
  building: 'Building, a few seconds…\n',
  waiting: 'Waiting for another run.sh, which installs or builds here…\n',
};

test('run.sh installs and builds once, then only what changed, and passes everything through', async () => {
  const first = await run('check', '--verbose', 'two words');
  expect(first).toMatchObject({ code: 3, err: lines.installing + lines.building });
  const args = ['check', '--verbose', 'two words'];
  expect(JSON.parse(first.out)).toEqual({ args, cwd: folder() });
  expect((await run()).err).toBe('');
  await writeFile(join(project, 'src/new file.js'), '');
  expect((await run()).err).toBe(lines.building);
  await rm(join(project, 'node_modules'), { recursive: true });
  expect((await run()).err).toBe(lines.installing);
});

test('run.sh counts the seconds on a terminal, on a line that is gone afterwards', async () => {
  const slow = { ...packageJson.scripts, build: `sleep 3 && ${packageJson.scripts.build}` };
  await writeFile(join(project, 'package.json'), JSON.stringify({ ...packageJson, scripts: slow }));
  const onTerminal = ['-qec', `'${script}' check`, '/dev/null'];
  const { out } = await waitForEnd(start('script', onTerminal));
  expect(out).toMatch(
    /Building, a few seconds…\r\n(?:\r\u001b\[K {2}\d s)+\r\u001b\[K\{"args":\["check"\]/,
  );
});

test('run.sh works through a chain of symlinks, relative and absolute', async () => {
  await mkdir(join(folder(), 'bin'));
  await symlink('../a project/run.sh', join(folder(), 'bin/relative'));
  await symlink(join(folder(), 'bin/relative'), join(folder(), 'absolute'));
  const { out, code } = await waitForEnd(start('./absolute', ['status']));
  expect(JSON.parse(out)).toEqual({ args: ['status'], cwd: folder() });
  expect(code).toBe(3);
});

test('invocations at once install and build once between them', async () => {
  const outcomes = await Promise.all([1, 2, 3].map(() => run('check')));
  expect(outcomes.map(({ code }) => code)).toEqual([3, 3, 3]);
  // On a busy machine the others are told what they wait for.
  const told = outcomes.map(({ err }) => err.replace(lines.waiting, ''));
  expect(told.sort()).toEqual(['', '', lines.installing + lines.building]);
  expect((await stat(join(project, '.run-lock'))).mode & 0o777).toBe(0o600);
});

test.runIf(spawnSync('flock', ['--version']).status === 0)(
  'a lock that is not let go is waited for with a word, and for a minute only; what needs none goes on',
  async () => {
    await run();
    const hold = ['--no-fork', '.run-lock', 'sh', '-c', 'echo held && exec sleep 300'];
    const holder = spawn('flock', hold, { cwd: project });
    onTestFinished(() => void holder.kill());
    await once(holder.stdout, 'data');
    expect(await run()).toMatchObject({ code: 3, err: '' });
    await writeFile(join(project, 'src/new file.js'), '');
    // Ten seconds stand for the minute.
    await writeFile(script, (await readFile(script, 'utf8')).replace('-ge 60 ]', '-ge 10 ]'));
    const err = `${lines.waiting}Gave up after a minute: another run.sh still installs or builds in ${project}. Try again when it has ended.\n`;
    expect(await run()).toMatchObject({ code: 1, err });
  },
  60_000,
);

test('a build that fails shows why, exits 1 and is tried again', async () => {
  const broken = { ...packageJson, scripts: { build: 'echo the reason; exit 9' } };
  await writeFile(join(project, 'package.json'), JSON.stringify(broken));
  for (const notices of [lines.installing + lines.building, lines.building]) {
    const err = `${notices}the reason\nFailed: npm run --silent build\n`;
    expect(await run('check')).toMatchObject({ code: 1, out: '', err });
  }
});

test('a signal reaches the mode, whose exit code is the answer', async () => {
  const child = start(script, ['wait']);
  const outcome = waitForEnd(child);
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect((await outcome).code).toBe(7);
});

test('a Node.js that is too old is refused in one line', async () => {
  const bin = join(folder(), 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'node'), '#!/bin/sh\necho v20.19.5\n', { mode: 0o755 });
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` };
  const err = `Node.js 20.20 or newer is needed; ${bin}/node is v20.19.5.\n`;
  expect(await waitForEnd(start(script, [], env))).toMatchObject({ code: 2, out: '', err });
});
