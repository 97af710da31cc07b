import { CommanderError } from 'commander';
import { z } from 'zod';
import { AnalyserError, messageOf } from '../base/errors.js';
import { exitCodeOf, exitCodes } from './exit-codes.js';
import type { Run } from './mode.js';
import { createPrinter, type Outlet, type Printer } from './printer.js';
import { createProgram } from './program.js';

export interface ProcessContext extends Outlet {
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Whether a person reads stdout; default: no. */
  isTerminal?: boolean;
}

/** What the program itself reads of the options; the rest is for the mode. */
const ownOptions = z.object({ verbose: z.boolean().default(false), config: z.string().optional() });

/** Finds the mode, runs it and turns any outcome into an exit code. */
export async function runCommandLine(
  argv: readonly string[],
  context: ProcessContext,
): Promise<number> {
  const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
  const printer = createPrinter(context);
  const { env, cwd, isTerminal = false } = context;
  let exitCode: number = exitCodes.ok;
  const run: Run = (load) =>
    async function (...given) {
      const { verbose, config } = ownOptions.parse(this.optsWithGlobals());
      // Every mode looks for its configuration in the same place.
      const named = config === undefined ? env : { ...env, APP_ANALYSER_CONFIG: config };
      const mode = { ...printer, verbose, env: named, cwd, isTerminal };
      const work = await load();
      exitCode = (await work(mode, ...given)) ?? exitCodes.ok;
    };
  try {
    await createProgram(printer, run).parseAsync([...words], { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander reports a request for help or the version as an error, but with exit code 0.
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exitCodes.ok : exitCodes.configuration;
    }
    reportError(error, words.includes('--verbose'), printer);
    return exitCodeOf(error);
  }
}

function reportError(error: unknown, verbose: boolean, { printError }: Printer): void {
  if (error instanceof AnalyserError) {
    for (const line of error.lines) printError(line, 'bad');
    if (error.hint !== '') printError(error.hint);
    if (verbose && error.cause !== undefined) printError(`Caused by: ${describe(error.cause)}`);
    return;
  }
  printError(`Internal error: ${describe(error)}`, 'bad');
  if (verbose && error instanceof Error) {
    for (const line of error.stack?.split('\n') ?? []) printError(line);
  }
}

function describe(error: unknown): string {
  return messageOf(error).split('\n', 1).join('');
}
