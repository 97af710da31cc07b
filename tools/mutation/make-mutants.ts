import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { z } from 'zod';

/** One small change of a file that may be a fault. */
export interface Mutant {
  id: string;
  /** Relative to the repository. */
  file: string;
  /** Counted from one. */
  line: number;
  column: number;
  mutator: string;
  before: string;
  after: string;
}

export interface Mutants {
  mutants: readonly Mutant[];
  /** By file, its text with every mutant behind a switch. */
  texts: ReadonlyMap<string, string>;
}

/** Texts and messages are not changed: tests that pin every word down stop nobody's mistake. */
const LEFT_OUT = ['StringLiteral', 'ObjectLiteral'];

const quiet = (): void => undefined;
const silentLogger = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: quiet,
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: quiet,
  fatal: quiet,
};

export async function makeMutants(root: string, names: readonly string[]): Promise<Mutants> {
  await addStatementRemoval();
  const files = await Promise.all(
    names.map(async (name) => ({
      name,
      mutate: true,
      content: await readFile(path.join(root, name), 'utf8'),
    })),
  );
  const instrumented = await new Instrumenter(silentLogger).instrument(files, {
    plugins: null,
    ignorers: [],
    excludedMutations: LEFT_OUT,
  });
  const textOf = new Map(files.map(({ name, content }) => [name, content]));
  const mutants = instrumented.mutants
    .filter(({ status }) => status !== 'Ignored')
    .map(({ id, fileName, location, mutatorName, replacement }): Mutant => {
      const { start, end } = location;
      const lines = (textOf.get(fileName) ?? '').split('\n').slice(start.line, end.line + 1);
      const before = lines
        .map((line, index) => (index === lines.length - 1 ? line.slice(0, end.column + 1) : line))
        .join('\n')
        .slice(start.column, start.line === end.line ? end.column : undefined);
      return {
        id,
        file: fileName,
        line: start.line + 1,
        column: start.column + 1,
        mutator: mutatorName,
        before,
        after: replacement,
      };
    });
  const texts = new Map(instrumented.files.map(({ name, content }) => [name, content]));
  return { mutants, texts };
}

/** As much of a syntax tree as leaving out a statement needs. */
interface NodePath {
  isExpressionStatement(): boolean;
  isStatement(): boolean;
  getSibling(index: number): NodePath;
  container: readonly unknown[];
}

const withMutators = z.object({ allMutators: z.custom<unknown[]>(Array.isArray) });

let isAdded = false;

/** A call whose result nobody uses is left out, one at a time; the library leaves out whole blocks only. */
async function addStatementRemoval(): Promise<void> {
  if (isAdded) return;
  isAdded = true;
  const main = createRequire(import.meta.url).resolve('@stryker-mutator/instrumenter');
  // The library has no other way to add a mutator.
  const list = pathToFileURL(path.join(path.dirname(main), 'mutators/mutate.js')).href;
  const module: unknown = await import(list);
  const { allMutators } = withMutators.parse(module);
  allMutators.push({
    name: 'StatementRemoval',
    *mutate(at: NodePath) {
      const isOneOfMany =
        at.isExpressionStatement() && at.getSibling(0).isStatement() && at.container.length > 1;
      if (isOneOfMany) yield { type: 'BlockStatement', body: [], directives: [] };
    },
  });
}
