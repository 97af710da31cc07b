import { statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { chooseTests, listFiles } from './choose-tests.js';
import { type Mutant, makeMutants } from './make-mutants.js';
import { type Tried, tryMutants } from './run-tests.js';

const help = `npm run mutate -- [--depth N] [--also TEST,…] FILE|FOLDER…

Breaks each file in some hundred small ways, runs the unit tests that import it, and prints every
fault that no test noticed: a test that is missing, a line that is not needed, or a change that is
no fault at all. Nothing on the disk changes. One file comes after the other; of a folder, all but
its tests.

  --depth N      how many imports may lie between a test and the file (default 3; 0: none but the
                 test beside it)
  --also TEST,…  these test files as well; those below test/ start storage servers first
`;

/** Progress goes to `progress`, the result to `print`. */
export async function mutate(
  root: string,
  given: readonly string[],
  { print, progress }: { print: (line: string) => void; progress: (text: string) => void },
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...given],
    allowPositionals: true,
    options: {
      depth: { type: 'string', default: '3' },
      also: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help || positionals.length === 0) {
    print(help);
    return values.help ? 0 : 2;
  }
  const also = values.also.split(',').filter((file) => file !== '');
  let exitCode = 0;
  // One at a time: tests that are near one file would otherwise be tried, far too often, on the faults of all.
  for (const file of positionals.flatMap((name) => filesOf(root, name))) {
    const tests = [...new Set([...chooseTests(root, [file], Number(values.depth)), ...also])];
    const made = await makeMutants(root, [file]);
    const began = performance.now();
    const tried = await tryMutants(root, made, tests, (test) => progress(`${file}: ${test}`));
    printFile(file, made.mutants, tried, print);
    for (const why of tried.unusable) print(`cannot be relied on: ${why}`);
    print(`${tests.length} test files, ${Math.round((performance.now() - began) / 1000)} s`);
    if (tried.unusable.length > 0) exitCode = 1;
  }
  return exitCode;
}

/** A file, or those of a folder that are not tests. */
function filesOf(root: string, given: string): string[] {
  const name = path.relative(root, path.resolve(root, given));
  if (!statSync(path.join(root, name)).isDirectory()) return [name];
  return listFiles(root, name).filter((file) => /(?<!\.(test|d))\.tsx?$/.test(file));
}

function printFile(
  file: string,
  all: readonly Mutant[],
  { killedBy, reached }: Tried,
  print: (line: string) => void,
): void {
  const mutants = all.filter((mutant) => mutant.file === file);
  const left = mutants.filter(({ id }) => !killedBy.has(id));
  const missed = left.filter(({ id }) => !reached.has(id));
  const percent =
    mutants.length === 0 ? 100 : (100 * (mutants.length - left.length)) / mutants.length;
  print(
    `${file}: ${mutants.length} faults, ${mutants.length - left.length} noticed (${percent.toFixed(0)} %), ${left.length - missed.length} survived, ${missed.length} not reached`,
  );
  for (const { id, line, column, mutator, before, after } of left) {
    const how = reached.has(id) ? 'survived' : 'not reached';
    print(`  ${file}:${line}:${column} ${how} ${mutator}: ${short(before)} → ${short(after)}`);
  }
}

function short(code: string): string {
  return code.replaceAll(/\s+/g, ' ').slice(0, 110);
}
