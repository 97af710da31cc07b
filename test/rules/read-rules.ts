import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../../', import.meta.url));

export const readSource = (file: string) => readFileSync(join(repository, file), 'utf8');

/** The numbers of docs/rules.md, in their order. */
export function ruleNumbers(): string[] {
  const lines = readSource('docs/rules.md').matchAll(/^- \*\*([T\d.]+)\*\* /gm);
  return Array.from(lines, ([, number = '']) => number);
}

/** These titles stand apart from the test that plays them. */
const examples = 'test/simulation/examples.ts';
const simulation = 'test/simulation/simulation.test.ts';

/** By rule, the files with a test that says in its title that it holds it. */
export function testsByRule(): Map<string, string[]> {
  const listed = execFileSync('git', ['ls-files', 'src', 'test'], { cwd: repository });
  const isTest = (file: string) => file.endsWith('.test.ts') || file === examples;
  const found = new Map<string, string[]>();
  for (const source of listed.toString().split('\n').filter(isTest)) {
    const file = source === examples ? simulation : source;
    for (const [, number = ''] of readSource(source).matchAll(/\[(T\d+|\d\.\d+)\](?=[[ ])/g)) {
      const tests = found.get(number) ?? [];
      if (!tests.includes(file)) found.set(number, [...tests, file]);
    }
  }
  return found;
}
