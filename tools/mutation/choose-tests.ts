import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { getOrAdd } from '../../src/base/lists.js';

/** The unit tests that import one of the files, by at most `depth` imports; the test beside a file comes first. */
export function chooseTests(root: string, files: readonly string[], depth: number): string[] {
  const imports = new Map<string, readonly string[]>();
  const importsOf = (file: string) => getOrAdd(imports, file, () => importsIn(root, file));
  const distanceOf = (test: string): number => {
    if (files.includes(test.replace('.test.ts', '.ts'))) return 0;
    const seen = new Set([test]);
    let front: readonly string[] = [test];
    for (let steps = 1; front.length > 0 && steps <= depth; steps += 1) {
      front = [...new Set(front.flatMap(importsOf))].filter((file) => !seen.has(file));
      for (const file of front) seen.add(file);
      if (front.some((file) => files.includes(file))) return steps;
    }
    return Number.POSITIVE_INFINITY;
  };
  return listFiles(root, 'src')
    .filter((file) => /(?<!\.(full|long))\.test\.ts$/.test(file))
    .map((file) => ({ file, distance: distanceOf(file) }))
    .filter(({ distance }) => distance <= depth)
    .sort((one, other) => one.distance - other.distance)
    .map(({ file }) => file);
}

/** Those that a new file adds too, before it is committed. */
export function listFiles(root: string, folder: string): string[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', folder],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  return listed.split('\n').filter((file) => file !== '' && existsSync(path.join(root, file)));
}

function importsIn(root: string, file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8').replaceAll(/import type [^;]*;/g, '');
  const names = Array.from(
    text.matchAll(/(?:from|import\(?) '(\.[^']+)\.js'/g),
    ([, name]) => name,
  );
  return names.flatMap((name) =>
    ['.ts', '.tsx']
      .map((ending) => path.join(path.dirname(file), `${name}${ending}`))
      .filter((found) => existsSync(path.join(root, found))),
  );
}
