import type { Command } from 'commander';
import type { Printer } from './printer.js';

/** What a mode gets from the process. Beside this, a mode uses only the signals of the process. */
export interface ModeContext extends Printer {
  verbose: boolean;
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Whether a person reads stdout. */
  isTerminal: boolean;
}

/**
 * What a mode does, with the arguments and the options as commander parsed them. Resolves to the exit
 * code unless that is 0; rejects with an AnalyserError for what went wrong outside.
 */
type Work<Given extends unknown[]> = (
  context: ModeContext,
  ...given: Given
) => Promise<number> | Promise<void>;

/** Makes the action of a mode. The mode is loaded only when the action runs, since every start defines all modes. */
export type Run = <Given extends unknown[]>(
  load: () => Promise<Work<Given>>,
) => (this: Command, ...given: Given) => Promise<void>;

/** Adds a mode, or several that belong together, to the program. */
export type AddModes = (program: Command, run: Run) => void;
