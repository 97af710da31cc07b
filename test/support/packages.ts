import { execFile } from 'node:child_process';
import { cp, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { lineOf } from './pages.js';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const start = promisify(execFile);
const packageFolders = ['node_modules', 'tools/node_modules'];

/** A copy to pack from, because packing builds, and a build takes dist away from whoever is using it. */
export async function copySources(target: string): Promise<void> {
  const left = new Set([...packageFolders, '.git', 'dist', 'var', 'coverage']);
  await cp(repository, target, {
    recursive: true,
    filter: (path) => !left.has(relative(repository, path)),
  });
  for (const name of packageFolders) await symlink(join(repository, name), join(target, name));
}

/** The package of operators, as docs/operators.md has it made; answers its path. */
export async function packOperators(source: string): Promise<string> {
  const line = await lineOf('docs/operators.md', 'npm pack');
  const command = `${line}\nprintf %s "$package"`;
  const { stdout, stderr } = await start('sh', ['-c', command], { cwd: source });
  // The line goes on where npm has failed.
  if (!stdout.endsWith('.tgz')) throw new Error(`Nothing was packed: ${stderr}`);
  return stdout;
}

/** The package of app developers, as README.md has it made; answers its path. */
export async function packClient(source: string): Promise<string> {
  const { stdout } = await start('npm', ['run', '--silent', 'pack:client'], { cwd: source });
  return stdout.trim();
}
