import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** The image is built from what its whitelist lets through, with the commands of its Dockerfile. */
const repository = fileURLToPath(new URL('../', import.meta.url));
const container = join(repository, 'deploy/container');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bp-image-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function linesOf(file: string): Promise<string[]> {
  return (await readFile(join(container, file), 'utf8')).split('\n');
}

test('the image builds from the files that its context admits', async () => {
  const admitted = (await linesOf('Dockerfile.dockerignore'))
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  for (const name of admitted) {
    await cp(join(repository, name), join(folder, name), { recursive: true });
  }
  const lines = await linesOf('Dockerfile');
  const copied = lines.flatMap(
    (line) => /^COPY (?!--from)(.+) \S+$/.exec(line)?.[1]?.split(' ') ?? [],
  );
  expect(copied.filter((name) => name !== '.' && !admitted.includes(name))).toEqual([]);
  // What `npm ci` would bring.
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  const builds = lines.flatMap((line) => /^RUN (npm run .+)$/.exec(line)?.[1] ?? []);
  expect(builds).toHaveLength(1);
  const env = { ...process.env, BUILD_COMMIT: 'v0.1.0-3-g1a2b3c4' };
  for (const command of builds) execFileSync('sh', ['-c', command], { cwd: folder, env });
  const version = ['dist/cli/main.js', '--version'];
  expect(execFileSync(process.execPath, version, { cwd: folder, encoding: 'utf8' })).toMatch(
    /^bp-analyser \d+\.\d+\.\d+ \(v0\.1\.0-3-g1a2b3c4\)\n$/,
  );
}, 300_000);
