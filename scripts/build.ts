import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { transpileFolder } from './transpile.js';

/**
 * `npm run build`: dist/, made beside it and then renamed, because a service may be running from it. With
 * build.json, which says what the code was made from, and the checksum by which run.sh knows that it is up to date.
 */
const root = resolve(import.meta.dirname, '..');
const target = join(root, 'dist');
const next = join(root, 'dist.next');
const old = join(root, 'dist.old');

const sources = output('bash', ['scripts/source-checksum.sh']);
for (const left of [next, old]) rmSync(left, { recursive: true, force: true });
try {
  await transpileFolder(join(root, 'src'), next);
  const built = { commit: findCommit(), digest: digestOfCode(next) };
  writeFileSync(join(next, 'build.json'), `${JSON.stringify(built)}\n`);
  writeFileSync(join(next, '.built'), `${sources}\n`);
  swap();
} finally {
  for (const left of [next, old]) rmSync(left, { recursive: true, force: true });
}

function swap(): void {
  try {
    renameSync(target, old);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  renameSync(next, target);
}

/** Where there is no git, as in the image, whoever builds says it. */
function findCommit(): string | null {
  const given = process.env['BUILD_COMMIT'] ?? '';
  if (given !== '') return given;
  try {
    // A copy inside of another repository is none of its commits.
    if (realpathSync(output('git', ['rev-parse', '--show-toplevel'])) !== realpathSync(root)) {
      return null;
    }
    return output('git', ['describe', '--tags', '--always', '--dirty']);
  } catch {
    return null;
  }
}

function digestOfCode(folder: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const code = files.filter((file) => file.endsWith('.js')).sort();
  for (const file of code) hash.update(`${file}\0`).update(readFileSync(join(folder, file)));
  return hash.digest('hex').slice(0, 16);
}

function output(program: string, args: string[]): string {
  const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
  return execFileSync(program, args, { cwd: root, encoding: 'utf8', stdio }).trim();
}
