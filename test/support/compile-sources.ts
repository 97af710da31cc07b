import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
};

export interface CompiledSources {
  /** The command line. */
  main: string;
  remove(): Promise<void>;
}

/**
 * The sources as they are, as JavaScript: for tests that start the program dozens of times, since
 * each start that compiles costs more than a whole analysis. Apart from what dist/ holds.
 */
export async function compileSources(): Promise<CompiledSources> {
  const sources = join(root, 'src');
  const parent = join(root, 'var');
  await mkdir(parent, { recursive: true });
  // Within the project, where the packages are found.
  const folder = await mkdtemp(join(parent, 'compiled-'));
  await cp(join(root, 'package.json'), join(folder, 'package.json'));
  const files = await readdir(sources, { recursive: true });
  for (const name of files.filter((file) => /(?<!\.(test|d))\.ts$/.test(file))) {
    const target = join(folder, 'src', name.replace(/ts$/, 'js'));
    await mkdir(dirname(target), { recursive: true });
    const text = await readFile(join(sources, name), 'utf8');
    await writeFile(target, ts.transpileModule(text, { compilerOptions }).outputText);
  }
  return {
    main: join(folder, 'src/cli/main.js'),
    remove: () => rm(folder, { recursive: true }),
  };
}
