import { Command, CommanderError } from 'commander';
import { AnalyserError, messageOf } from '../base/errors.js';
import { exitCodeOf, exitCodes } from './exit-codes.js';
import type { ModeContext, ModeEntry } from './mode.js';
import { groups, modes } from './modes.js';
import { createPrinter, type Outlet, type Printer } from './printer.js';
import { version } from './version.js';

export interface ProcessContext extends Outlet {
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Whether a person reads stdout; default: no. */
  isTerminal?: boolean;
}

/** Finds the mode, runs it and turns any outcome into an exit code. */
export async function runCommandLine(
  argv: readonly string[],
  context: ProcessContext,
): Promise<number> {
  const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
  const printer = createPrinter(context);
  const program = createProgram(printer);
  let exitCode: number = exitCodes.ok;
  for (const entry of modes) {
    const command = addCommand(program, entry, printer);
    command.action(async () => {
      const { mode } = await entry.load();
      exitCode = (await mode(contextOf(command, context, printer))) ?? exitCodes.ok;
    });
  }
  try {
    await program.parseAsync([...words], { from: 'user' });
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

function contextOf(
  command: Command,
  { env, cwd, isTerminal = false }: ProcessContext,
  printer: Printer,
): ModeContext {
  const options: Record<string, unknown> = command.optsWithGlobals();
  const has = (name: string) => options[name] === true;
  const value = (name: string) => {
    const given = options[name];
    return typeof given === 'string' ? given : undefined;
  };
  // Every mode looks for its configuration in the same place.
  const config = value('config');
  return {
    ...printer,
    args: command.args,
    value,
    has,
    verbose: has('verbose'),
    env: config === undefined ? env : { ...env, APP_ANALYSER_CONFIG: config },
    cwd,
    isTerminal,
  };
}

function createProgram(printer: Printer): Command {
  const program = new Command('bp-analyser')
    .description('Privacy-preserving blood pressure analyser for Solid Pods')
    .usage('MODE [--verbose]')
    .version(version)
    .option('--verbose', 'log more, and show the stack of an internal error')
    .helpCommand(false)
    .configureHelp({
      styleTitle: (title) => title.replace('Commands:', 'Modes:'),
      subcommandTerm: (command) => `${command.name()} ${command.usage().replace('[options]', '')}`,
    })
    .configureOutput({
      writeOut: (text) => {
        printer.printText(text.trimEnd());
      },
      // Misuse is explained in two lines instead.
      writeErr: () => undefined,
    });
  return explainMisuse(program, printer, () => offer(modes));
}

function addCommand(program: Command, entry: ModeEntry, printer: Printer): Command {
  const { name, summary, argument = '', required = [], flags, notes } = entry;
  const [first = '', second] = name.split(' ');
  const parent =
    second === undefined
      ? program
      : (program.commands.find((command) => command.name() === first) ??
        addGroup(program, first, printer));
  const command = parent
    .command(second ?? first)
    .description(summary)
    .usage(`${argument} [options]`.trimStart());
  if (argument !== '') command.argument(argument);
  for (const [names, description] of required) command.requiredOption(names, description);
  for (const [names, description, value] of flags) command.option(names, description, value);
  if (notes !== undefined) command.addHelpText('after', notes);
  command.option('--verbose', 'log more, and show the stack of an internal error');
  return explainMisuse(command, printer, () => {
    const known = command.options.map((option) => option.flags).join(', ');
    return `Flags of ${name}: ${known}. See ${name} --help.`;
  });
}

function addGroup(program: Command, name: string, printer: Printer): Command {
  const group = program
    .command(name)
    .description(groups[name] ?? '')
    .helpCommand(false);
  const ofGroup = modes.filter((mode) => mode.name.startsWith(`${name} `));
  return explainMisuse(group, printer, () => offer(ofGroup));
}

function offer(entries: readonly ModeEntry[]): string {
  return `Modes: ${entries.map(({ name }) => name).join(', ')}. See --help.`;
}

/** Tells what is wrong with the words on the command line, and on a second line what is right. */
function explainMisuse(
  command: Command,
  { printError }: Printer,
  whatIsRight: () => string,
): Command {
  return command.exitOverride((error) => {
    if (error.exitCode !== 0) {
      const missing =
        command.parent === null
          ? 'No mode was given.'
          : `A mode is missing after ${command.name()}.`;
      printError(error.code === 'commander.help' ? missing : sentence(error.message), 'bad');
      printError(whatIsRight());
    }
    throw error;
  });
}

function sentence(message: string): string {
  const text = message
    .replace(/^error: /, '')
    .replace(/\n/g, ' ')
    .replace('unknown command', 'unknown mode');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?)]$/.test(text) ? '' : '.'}`;
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
