import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { transformWithOxc } from 'vite';

/**
 * Every TypeScript file below `from`, tests aside, as JavaScript below `to`. Types are dropped and not checked, which
 * `npm run check` does; declarations are made by `tsc`, where somebody needs them.
 */
export async function transpileFolder(from: string, to: string): Promise<void> {
  const files = await readdir(from, { recursive: true });
  const sources = files.filter((file) => /(?<!\.(test|d))\.ts$/.test(file));
  await Promise.all(
    sources.map((name) => transpile(join(from, name), join(to, name.replace(/ts$/, 'js')))),
  );
}

async function transpile(source: string, target: string): Promise<void> {
  const { code, map } = await transformWithOxc(await readFile(source, 'utf8'), source);
  if (map === undefined) throw new Error(`There is no source map of ${source}.`);
  await mkdir(dirname(target), { recursive: true });
  const mapName = `${basename(target)}.map`;
  const { mappings, names } = map;
  const sources = [relative(dirname(target), source)];
  await Promise.all([
    writeFile(target, `${code}//# sourceMappingURL=${mapName}\n`),
    writeFile(
      join(dirname(target), mapName),
      JSON.stringify({ version: 3, file: basename(target), sources, names, mappings }),
    ),
  ]);
}
