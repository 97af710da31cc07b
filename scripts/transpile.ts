import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { transformWithEsbuild } from 'vite';

/**
 * Every TypeScript file below `from`, tests aside, as JavaScript below `to`. Types are dropped and not checked, which
 * `npm run check` does; declarations are made by `tsc`, where somebody needs them.
 */
export async function transpileFolder(from: string, to: string): Promise<void> {
  const files = await readdir(from, { recursive: true });
  const sources = files.filter((file) => /(?<!\.(test|d))\.tsx?$/.test(file));
  await Promise.all(
    sources.map((name) => transpile(join(from, name), join(to, name.replace(/tsx?$/, 'js')))),
  );
}

async function transpile(source: string, target: string): Promise<void> {
  const { code, map } = await transformWithEsbuild(await readFile(source, 'utf8'), source, {
    target: 'es2023',
  });
  await mkdir(dirname(target), { recursive: true });
  const mapName = `${basename(target)}.map`;
  const sources = [relative(dirname(target), source)];
  await Promise.all([
    writeFile(target, `${code}//# sourceMappingURL=${mapName}\n`),
    writeFile(
      join(dirname(target), mapName),
      JSON.stringify({ ...map, file: basename(target), sources, sourcesContent: undefined }),
    ),
  ]);
}
