import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lineOf } from './support/pages.js';

/**
 * What pages of the project name as a first command, on a fresh clone: nothing is installed there. In the place
 * of the network `npm ci` finds the packages that are at hand.
 */
const repository = fileURLToPath(new URL('../', import.meta.url));
const start = promisify(execFile);
let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bp-clone-'));
  const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
  await mkdir(join(folder, 'bin'));
  const instead = `#!/bin/sh
if [ "$1" = ci ]; then
  case "$*" in *'--prefix tools'*) folder=tools/node_modules ;; *) folder=node_modules ;; esac
  echo 'added 1 package'
  exec ln -s "${repository}$folder" "$folder"
fi
exec '${npm}' "$@"
`;
  await writeFile(join(folder, 'bin/npm'), instead, { mode: 0o755 });
  env = {
    ...process.env,
    PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter),
    BUILD_COMMIT: 'v9.9.9-1-g1234567',
  };
});
afterAll(() => rm(folder, { recursive: true }));

async function clone(name: string): Promise<string> {
  const target = join(folder, name);
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: repository,
      encoding: 'utf8',
    },
  );
  for (const file of listed.split('\0')) {
    if (file === '' || !existsSync(join(repository, file))) continue;
    await cp(join(repository, file), join(target, file));
  }
  return target;
}

test('an operator packs the service and knows which file it was; what runs from the old build goes on', async () => {
  const checkout = await clone('bp-analyser');
  await mkdir(join(checkout, 'dist/cli'), { recursive: true });
  await writeFile(join(checkout, 'dist/cli/main.js'), 'of the build before');
  await writeFile(join(checkout, 'bp-analyser-0.0.1.tgz'), 'an older package');
  await writeFile(join(checkout, 'bp-analyser-client-0.1.0.tgz'), 'another package');
  const line = await lineOf('docs/operators.md', 'npm pack');
  const packing = start('sh', ['-c', `${line}\nprintf %s "$package"`], { cwd: checkout, env });
  let missing = 0;
  const watch = setInterval(() => {
    if (!existsSync(join(checkout, 'dist/cli/main.js'))) missing += 1;
  }, 10);
  const { stdout } = await packing.finally(() => clearInterval(watch));
  expect(basename(stdout)).toMatch(/^bp-analyser-\d+\.\d+\.\d+\.tgz$/);
  expect(missing).toBe(0);
  const listed = execFileSync('tar', ['-tzf', stdout], { encoding: 'utf8' });
  expect(listed).toContain('package/dist/cli/main.js');
  expect((await readdir(checkout)).filter((name) => name.startsWith('dist'))).toEqual(['dist']);
  const main = join(checkout, 'dist/cli/main.js');
  const version = execFileSync(process.execPath, [main, '--version'], { encoding: 'utf8' });
  expect(version).toMatch(/^bp-analyser \d+\.\d+\.\d+ \(v9\.9\.9-1-g1234567\)\n$/);
}, 300_000);

test('an app developer installs the client from a checkout beside the app', async () => {
  const checkout = await clone('client/bp-analyser');
  const app = join(folder, 'client/app');
  await mkdir(app);
  await writeFile(join(app, 'package.json'), '{"name": "app", "version": "1.0.0"}');
  const line = await lineOf('README.md', 'pack:client');
  // Its packages would come over the network, so what would be installed is only named.
  const naming = line.replace(/^npm install/, 'printf %s');
  const { stdout: path } = await start('sh', ['-c', naming], { cwd: app, env });
  expect(path).toMatch(/\/client\/bp-analyser\/bp-analyser-client-\d+\.\d+\.\d+\.tgz$/);
  expect(execFileSync('tar', ['-tzf', path], { encoding: 'utf8' })).toContain(
    'dist/client/client.js',
  );
  expect(existsSync(join(checkout, 'dist'))).toBe(false);
}, 300_000);
