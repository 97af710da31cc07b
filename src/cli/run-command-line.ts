import { Command, CommanderError } from 'commander';
import { z } from 'zod';
import { describeBuild } from '../base/build.js';
import { AnalyserError, messageOf } from '../base/errors.js';
import { exitCodeOf, exitCodes } from './exit-codes.js';
import type { AddModes, Run } from './mode.js';
import { app } from './modes/app.js';
import { calls } from './modes/calls.js';
import { demo } from './modes/demo.js';
import { operator, showConfig } from './modes/operator.js';
import { setup } from './modes/setup.js';
import { test } from './modes/test.js';
import { ownBuild } from './own-build.js';
import { createPrinter, type Outlet, type Printer } from './printer.js';

interface ProcessContext extends Outlet {
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Whether a person reads stdout; default: no. */
  isTerminal?: boolean;
}

/** The options that the program reads itself; the mode reads the others. */
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
      // Every mode reads the place of its configuration from this variable, so --config sets it.
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

/** Every mode, in the order of the help text. */
const modes: readonly AddModes[] = [demo, setup, operator, calls, app, showConfig, test];

const verbose = ['--verbose', 'log more, and show the stack of an internal error'] as const;

/** The whole command line; `run` makes the action of each mode. */
export function createProgram(printer: Printer, run: Run): Command {
  const program = new Command('bp-analyser')
    .description('Privacy-preserving blood pressure analyser for Solid Pods')
    .usage('MODE [--verbose]')
    .version(describeBuild(ownBuild))
    .option(...verbose)
    .helpCommand(false)
    .configureHelp({
      styleTitle: (title) => title.replace('Commands:', 'Modes:'),
      subcommandTerm: (command) => `${command.name()} ${command.usage().replace('[options]', '')}`,
    })
    .configureOutput({
      writeOut: (text) => {
        printer.printText(text.trimEnd());
      },
      // Commander's own text is left out, because `explainMisuse` prints two lines instead.
      writeErr: () => undefined,
    });
  for (const addModes of modes) addModes(program, run);
  complete(program, printer);
  return program;
}

/** Gives every mode below a command the usage, option and error messages that all modes have. */
function complete(command: Command, printer: Printer): void {
  const isMode = command.commands.length === 0;
  if (isMode) {
    const words = command.registeredArguments.map((argument) =>
      argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
    );
    command.usage([...words, '[options]'].join(' ')).option(...verbose);
  } else {
    command.helpCommand(false);
  }
  explainMisuse(command, printer);
  for (const mode of command.commands) complete(mode, printer);
}

/** Says what is wrong with the words on the command line, and on a second line which words are allowed. */
function explainMisuse(command: Command, { printError }: Printer): void {
  command.exitOverride((error) => {
    if (error.exitCode !== 0) {
      const missing =
        command.parent === null
          ? 'No mode was given.'
          : `A mode is missing after ${command.name()}.`;
      printError(error.code === 'commander.help' ? missing : sentence(error.message), 'bad');
      printError(whatIsRight(command));
    }
    throw error;
  });
}

function whatIsRight(command: Command): string {
  if (command.commands.length > 0)
    return `Modes: ${listModes(command).map(fullName).join(', ')}. See --help.`;
  const known = command.options.map(({ flags }) => flags).join(', ');
  const name = fullName(command);
  return `Flags of ${name}: ${known}. See ${name} --help.`;
}

/** The name of a mode with the word of its group, such as `app add`. */
export function fullName(mode: Command): string {
  return mode.parent?.parent ? `${mode.parent.name()} ${mode.name()}` : mode.name();
}

/** The modes below a command; for a mode, only the mode itself. */
export function listModes(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(listModes);
}

function sentence(message: string): string {
  const text = message
    .replace(/^error: /, '')
    .replace(/\n/g, ' ')
    .replace('unknown command', 'unknown mode');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?)]$/.test(text) ? '' : '.'}`;
}
