import { Command, CommanderError } from 'commander';
import { AnalyserError } from '../base/errors.js';
import { exitCodeOf, exitCodes } from './exit-codes.js';
import type { ModeContext, ModeEntry } from './mode.js';
import { groups, modes } from './modes.js';
import { readVersion } from './version.js';

/** What of the process the command line works with. */
export type Surroundings = Pick<ModeContext, 'env' | 'cwd' | 'print' | 'printError'>;

/** Finds the mode, runs it and turns whatever happens into an exit code. */
export async function runCommandLine(
  argv: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const verbose = argv.includes('--verbose');
  try {
    return await dispatch(argv, surroundings);
  } catch (error) {
    if (error instanceof CommanderError) return reportUsage(error, surroundings);
    reportError(error, verbose, surroundings);
    return exitCodeOf(error);
  }
}

async function dispatch(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  let exitCode: number = exitCodes.configuration;
  const program = createProgram(surroundings);
  const chosen = findMode(argv);
  for (const entry of modes) {
    const command = addCommand(program, entry);
    if (entry !== chosen) continue;
    const { mode } = await entry.load();
    mode.configure?.(command);
    command.action(async () => {
      const options: Record<string, unknown> = command.optsWithGlobals();
      const verbose = options['verbose'] === true;
      exitCode = await mode.run({ ...surroundings, args: command.args, options, verbose });
    });
  }
  await program.parseAsync([...argv], { from: 'user' });
  return exitCode;
}

function createProgram({ print }: Surroundings): Command {
  return new Command('bp-analyser')
    .description('Privacy-preserving blood pressure analyser for Solid Pods')
    .usage('MODE [--verbose]')
    .version(readVersion())
    .option('--verbose', 'say more, and show the stack of an internal error')
    .helpCommand(false)
    .exitOverride()
    .configureHelp({
      styleTitle: (title) => title.replace('Commands:', 'Modes:'),
      subcommandTerm: (command) => `${command.name()} ${command.usage().replace('[options]', '')}`,
    })
    .configureOutput({
      writeOut: (text) => {
        print(text.trimEnd());
      },
      // reportUsage says it in one line.
      writeErr: () => undefined,
    });
}

function addCommand(program: Command, { name, summary, usage = '' }: ModeEntry): Command {
  const [first = '', second] = name.split(' ');
  const parent =
    second === undefined
      ? program
      : (program.commands.find((command) => command.name() === first) ?? addGroup(program, first));
  return parent
    .command(second ?? first)
    .description(summary)
    .usage(`${usage} [options]`.trimStart())
    .option('--verbose', 'say more, and show the stack of an internal error');
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

function reportUsage(error: CommanderError, { printError }: Surroundings): number {
  // Asking for help or the version is not a mistake; commander signals it as one.
  if (error.exitCode === 0) return exitCodes.ok;
  const reason = error.code === 'commander.help' ? 'No mode was given.' : sentence(error.message);
  printError(reason);
  printError(`Modes: ${modes.map(({ name }) => name).join(', ')}. See --help.`);
  return exitCodes.configuration;
}

function sentence(message: string): string {
  const text = message
    .replace(/^error: /, '')
    .replace(/\n/g, ' ')
    .replace('unknown command', 'unknown mode');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?)]$/.test(text) ? '' : '.'}`;
}

function reportError(error: unknown, verbose: boolean, { printError }: Surroundings): void {
  if (error instanceof AnalyserError) {
    printError(error.message);
    if (verbose && error.cause !== undefined) printError(`Caused by: ${describe(error.cause)}`);
    return;
  }
  printError(`Internal error: ${describe(error)}`);
  if (verbose && error instanceof Error && error.stack !== undefined) printError(error.stack);
}

function describe(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1).join('');
}
