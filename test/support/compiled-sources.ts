import { chmod, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { transpileFolder } from '../../scripts/transpile.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The command line as JavaScript. */
    compiledMain: string;
  }
}

const root = fileURLToPath(new URL('../../', import.meta.url));
/** What the program looks for beside its sources. */
const beside = ['package.json', 'config.example.yaml', 'run.sh', 'dist', 'web'];

/**
 * Runs once before all test files: the sources as they are, as JavaScript, since each process that
 * compiles them for itself takes twice as long to start. Apart from what dist/ holds.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const parent = join(root, 'var');
  await mkdir(parent, { recursive: true });
  // Within the project, where the packages are found.
  const folder = await mkdtemp(join(parent, 'compiled-'));
  // Also for other accounts, as an installed program.
  await chmod(folder, 0o755);
  await Promise.all(beside.map((name) => symlink(join(root, name), join(folder, name))));
  await transpileFolder(join(root, 'src'), join(folder, 'src'));
  project.provide('compiledMain', join(folder, 'src/cli/main.js'));
  return () => rm(folder, { recursive: true });
}
