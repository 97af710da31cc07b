import type { Command } from 'commander';
import type { Printer } from './printer.js';

/** Everything that a mode gets from the process, except signals, which a mode handles itself. */
export interface ModeContext extends Printer {
  verbose: boolean;
  env: NodeJS.ProcessEnv;
  cwd: string;
}

/** Called with the arguments and options as commander parsed them; without an exit code the mode ends with 0. */
type Work<Given extends unknown[]> = (
  context: ModeContext,
  ...given: Given
) => Promise<number> | Promise<void>;

/** Makes the action of a mode. Every start defines all modes, so a mode is loaded only when its action runs. */
export type Run = <Given extends unknown[]>(
  load: () => Promise<Work<Given>>,
) => (this: Command, ...given: Given) => Promise<void>;

/** Adds a mode, or several that belong together, to the program. */
export type AddModes = (program: Command, run: Run) => void;
