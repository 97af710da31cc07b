import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformWithOxc } from 'vite';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The command line as JavaScript. */
    compiledMain: string;
  }
}

const root = fileURLToPath(new URL('../../', import.meta.url));
/** What the program looks for beside its sources. */
const beside = ['package.json', 'config.example.yaml', 'run.sh', 'dist'];

/**
 * Runs once before all test files: the sources as they are, as JavaScript, since each process that
 * compiles them for itself takes twice as long to start. Apart from what dist/ holds.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const parent = join(root, 'var');
  await mkdir(parent, { recursive: true });
  // Within the project, where the packages are found.
  const folder = await mkdtemp(join(parent, 'compiled-'));
  await Promise.all(beside.map((name) => symlink(join(root, name), join(folder, name))));
  const files = await readdir(join(root, 'src'), { recursive: true });
  const sources = files.filter((file) => /(?<!\.(test|d))\.ts$/.test(file));
  await Promise.all(sources.map((name) => compile(name, folder)));
  project.provide('compiledMain', join(folder, 'src/cli/main.js'));
  return () => rm(folder, { recursive: true });
}

async function compile(name: string, folder: string): Promise<void> {
  const source = join(root, 'src', name);
  const target = join(folder, 'src', name.replace(/ts$/, 'js'));
  const { code } = await transformWithOxc(await readFile(source, 'utf8'), source);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, code);
}
