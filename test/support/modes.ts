import type { Command } from 'commander';
import { createPrinter } from '../../src/cli/printer.js';
import { createProgram } from '../../src/cli/run-command-line.js';

const printer = createPrinter({ print: () => undefined, printError: () => undefined });

/** The modes below a command; for a mode, only the mode itself. */
function listModes(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(listModes);
}

/** The name of a mode with the word of its group, such as `app add`. */
function fullName(mode: Command): string {
  return mode.parent?.parent ? `${mode.parent.name()} ${mode.name()}` : mode.name();
}

/** Every mode that the program knows. */
export const modes = listModes(createProgram(printer, () => () => Promise.resolve())).map(
  (mode) => ({
    name: fullName(mode),
    flags: mode.options.map(({ flags }) => flags),
    takesArgument: mode.registeredArguments.length > 0,
  }),
);
