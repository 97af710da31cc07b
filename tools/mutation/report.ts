import { appendFileSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/** What the process of a test file tells the one that starts it, a line each. */
const lineSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('process'), pid: z.int() }),
  /** A test ran as it is, and reached these mutants. */
  z.object({
    kind: z.literal('test'),
    test: z.string(),
    ms: z.number(),
    isSlow: z.boolean(),
    reached: z.array(z.string()),
  }),
  z.object({ kind: z.literal('start'), test: z.string(), mutant: z.string(), limit: z.number() }),
  z.object({
    kind: z.literal('end'),
    test: z.string(),
    mutant: z.string(),
    /** Unclear: it failed, but perhaps by what the one before it left behind, so it is tried again. */
    how: z.enum(['killed', 'survived', 'timeout', 'unclear']),
    /** Whether the test fails from now on without any mutant: then the rest needs a new process. */
    isDirty: z.boolean(),
  }),
  /** A test that passes only once in one process. */
  z.object({ kind: z.literal('unrepeatable'), test: z.string() }),
  /** These mutants are reached while files are loaded. */
  z.object({ kind: z.literal('static'), reached: z.array(z.string()) }),
]);
export type Line = z.infer<typeof lineSchema>;

/** What the process of a test file has to know. */
const orderSchema = z.object({
  /** Whether slow tests are meant, or the others. */
  isSlow: z.boolean(),
  /** These are known to be noticed. */
  killed: z.array(z.string()),
  /** By test, what was tried before a process had to be ended. */
  done: z.record(z.string(), z.array(z.string())),
});
export type Order = z.infer<typeof orderSchema>;

export function readOrder(file: string): Order {
  return orderSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

export function tell(file: string, line: Line): void {
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

export function readLines(file: string): Line[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => lineSchema.parse(JSON.parse(line)));
}
