import { Command, CommanderError } from 'commander';
import { AnalyserError } from '../base/errors.js';
import { exitCodeOf, exitCodes } from './exit-codes.js';
import type { ModeEntry } from './mode.js';
import { groups, modes } from './modes.js';
import { createPrinter, type Outlet, type Printer } from './printer.js';
import { readVersion } from './version.js';

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
  const verbose = words.includes('--verbose');
  const printer = createPrinter(context);
  try {
    return await dispatch(words, context, printer);
  } catch (error) {
    if (error instanceof UsageError) return reportUsage(error, printer);
    reportError(error, verbose, printer);
    return exitCodeOf(error);
  }
}

async function dispatch(
  argv: readonly string[],
  { env, cwd, isTerminal = false }: ProcessContext,
  printer: Printer,
): Promise<number> {
  let exitCode: number = exitCodes.configuration;
  const program = createProgram(printer);
  const chosen = findMode(argv);
  let command: Command | undefined;
  for (const entry of modes) {
    const added = addCommand(program, entry);
    if (entry !== chosen) continue;
    command = added;
    added.action(async () => {
      const { mode } = await entry.load();
      const options: Record<string, unknown> = added.optsWithGlobals();
      const verbose = options['verbose'] === true;
      const context = { ...printer, cwd, isTerminal, args: added.args, options, verbose };
      exitCode = await mode.run({ ...context, env: withConfig(env, options) });
    });
  }
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    throw error instanceof CommanderError
      ? new UsageError(error, chosen, command, argv[0] ?? '')
      : error;
  }
  return exitCode;
}

class UsageError extends Error {
  constructor(
    override readonly cause: CommanderError,
    readonly chosen: ModeEntry | undefined,
    readonly command: Command | undefined,
    readonly firstWord: string,
  ) {
    super(cause.message);
  }
}

/** Every mode looks for its configuration in the same place. */
function withConfig(
  env: NodeJS.ProcessEnv,
  { config }: Readonly<Record<string, unknown>>,
): NodeJS.ProcessEnv {
  return typeof config === 'string' ? { ...env, APP_ANALYSER_CONFIG: config } : env;
}

function createProgram({ printText }: Printer): Command {
  return new Command('bp-analyser')
    .description('Privacy-preserving blood pressure analyser for Solid Pods')
    .usage('MODE [--verbose]')
    .version(readVersion())
    .option('--verbose', 'log more, and show the stack of an internal error')
    .helpCommand(false)
    .exitOverride()
    .configureHelp({
      styleTitle: (title) => title.replace('Commands:', 'Modes:'),
      subcommandTerm: (command) => `${command.name()} ${command.usage().replace('[options]', '')}`,
    })
    .configureOutput({
      writeOut: (text) => {
        printText(text.trimEnd());
      },
      // reportUsage prints the error in two lines.
      writeErr: () => undefined,
    });
}

function addCommand(program: Command, entry: ModeEntry): Command {
  const { name, summary, argument = '', required = [], flags, notes } = entry;
  const [first = '', second] = name.split(' ');
  const parent =
    second === undefined
      ? program
      : (program.commands.find((command) => command.name() === first) ?? addGroup(program, first));
  const command = parent
    .command(second ?? first)
    .description(summary)
    .usage(`${argument} [options]`.trimStart());
  if (argument !== '') command.argument(argument);
  for (const [names, description] of required) command.requiredOption(names, description);
  for (const [names, description, value] of flags) command.option(names, description, value);
  if (notes !== undefined) command.addHelpText('after', notes);
  return command.option('--verbose', 'log more, and show the stack of an internal error');
}

function addGroup(program: Command, name: string): Command {
  return program
    .command(name)
    .description(groups[name] ?? '')
    .helpCommand(false);
}

function findMode(argv: readonly string[]): ModeEntry | undefined {
  const [first, second] = argv.filter((word) => !word.startsWith('-'));
  return modes.find(({ name }) => name === first || name === `${first} ${second}`);
}

function reportUsage(
  { cause, chosen, command, firstWord }: UsageError,
  { printError }: Printer,
): number {
  // Commander reports a request for help or the version as an error, but with exit code 0.
  if (cause.exitCode === 0) return exitCodes.ok;
  const ofGroup = modes.filter(({ name }) => name.startsWith(`${firstWord} `));
  const missing =
    ofGroup.length === 0 ? 'No mode was given.' : `A mode is missing after ${firstWord}.`;
  printError(cause.code === 'commander.help' ? missing : sentence(cause.message), 'bad');
  if (chosen === undefined || command === undefined) {
    const offered = (ofGroup.length === 0 ? modes : ofGroup).map(({ name }) => name);
    printError(`Modes: ${offered.join(', ')}. See --help.`);
  } else {
    const flags = command.options.map((option) => option.flags).join(', ');
    printError(`Flags of ${chosen.name}: ${flags}. See ${chosen.name} --help.`);
  }
  return exitCodes.configuration;
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
    if (verbose && error.cause !== undefined) printError(`Caused by: ${describe(error.cause)}`);
    return;
  }
  printError(`Internal error: ${describe(error)}`, 'bad');
  if (verbose && error instanceof Error) {
    for (const line of error.stack?.split('\n') ?? []) printError(line);
  }
}

function describe(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1).join('');
}
