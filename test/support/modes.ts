import { createPrinter } from '../../src/cli/printer.js';
import { createProgram, fullName, listModes } from '../../src/cli/run-command-line.js';

const printer = createPrinter({ print: () => undefined, printError: () => undefined });
const program = createProgram(printer, () => () => Promise.resolve());

/** Every mode that the program knows. */
export const modes = listModes(program).map((mode) => ({
  name: fullName(mode),
  flags: mode.options.map(({ flags }) => flags),
  takesArgument: mode.registeredArguments.length > 0,
}));
