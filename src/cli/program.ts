import { Command } from 'commander';
import type { AddModes, Run } from './mode.js';
import { app } from './modes/app.js';
import { calls } from './modes/calls.js';
import { check } from './modes/check.js';
import { demo } from './modes/demo.js';
import { operator } from './modes/operator.js';
import { services } from './modes/services.js';
import { setup } from './modes/setup.js';
import { showConfig } from './modes/show-config.js';
import { test } from './modes/test.js';
import type { Printer } from './printer.js';
import { version } from './version.js';

/** Every mode, in the order of the help text. */
const modes: readonly AddModes[] = [
  demo,
  setup,
  check,
  services,
  operator,
  calls,
  app,
  showConfig,
  test,
];

const verbose = ['--verbose', 'log more, and show the stack of an internal error'] as const;

/** The whole command line; `run` makes the action of each mode. */
export function createProgram(printer: Printer, run: Run): Command {
  const program = new Command('bp-analyser')
    .description('Privacy-preserving blood pressure analyser for Solid Pods')
    .usage('MODE [--verbose]')
    .version(version)
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
      // Misuse is explained in two lines instead.
      writeErr: () => undefined,
    });
  for (const addModes of modes) addModes(program, run);
  complete(program, printer);
  return program;
}

/** Gives every mode below a command what all of them have. */
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
  for (const one of command.commands) complete(one, printer);
}

/** Tells what is wrong with the words on the command line, and on a second line what is right. */
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

/** With the word of its group, such as `app add`. */
export function fullName(mode: Command): string {
  return mode.parent?.parent ? `${mode.parent.name()} ${mode.name()}` : mode.name();
}

/** The modes below a command; a mode is its own only one. */
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
