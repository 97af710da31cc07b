import { Command, CommanderError } from 'commander';
import { z } from 'zod';
import { describeBuild } from '../base/build.js';
import { AnalyserError, messageOf } from '../base/errors.js';
import { exitCodeOf, exitCodes } from './exit-codes.js';
import type { AddModes, Run } from './mode.js';
import { app } from './modes/app.js';
import { calls } from './modes/calls.js';
import { operator } from './modes/operator.js';
import { demo, setup } from './modes/setup.js';
import { test } from './modes/test.js';
import { ownBuild } from './own-build.js';
import { createPrinter, type Outlet, type Printer, type Tone } from './printer.js';

interface ProcessContext extends Outlet {
  env: NodeJS.ProcessEnv;
  cwd: string;
}

/** The options that the program reads itself; the mode reads the others. */
const ownOptions = z.object({ verbose: z.boolean().default(false), config: z.string().optional() });

export async function runCommandLine(
  argv: readonly string[],
  context: ProcessContext,
): Promise<number> {
  const printer = createPrinter(context);
  const { env, cwd } = context;
  let exitCode: number = exitCodes.ok;
  const run: Run = (load) =>
    async function (...given) {
      const { verbose, config } = ownOptions.parse(this.optsWithGlobals());
      // Every mode reads the place of its configuration from this variable, so --config sets it.
      const named = config === undefined ? env : { ...env, APP_ANALYSER_CONFIG: config };
      const mode = { ...printer, verbose, env: named, cwd };
      const { requireKnownVariables } = await import('../config/secrets.js');
      requireKnownVariables(Object.keys(env));
      const work = await load();
      exitCode = (await work(mode, ...given)) ?? exitCodes.ok;
    };
  try {
    await createProgram(printer, run).parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander reports a request for help or the version as an error, but with exit code 0.
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exitCodes.ok : exitCodes.configuration;
    }
    reportError(error, argv.includes('--verbose'), printer);
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

const modes: readonly AddModes[] = [demo, setup, operator, calls, app, test];

/** The whole command line; `run` makes the action of each mode. Modes inherit how help and mistakes are printed. */
export function createProgram({ printText, printError }: Printer, run: Run): Command {
  const tell = (text: string, tone?: Tone) => {
    for (const line of text.trimEnd().split('\n')) printError(line, tone);
  };
  const program = new Command('bp-analyser')
    .description('Privacy-preserving blood pressure analyser for Solid Pods')
    .version(describeBuild(ownBuild))
    .option('--verbose', 'log more, and show the stack of an internal error')
    .commandsGroup('Modes:')
    .helpCommand(true)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('See --help.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => printText(text.trimEnd()),
      writeErr: (text) => tell(text),
      outputError: (text) => tell(text, 'bad'),
    });
  for (const addModes of modes) addModes(program, run);
  return program;
}
