import type { Command } from 'commander';
import type { Printer } from './printer.js';

/** What a mode gets from the process; it uses nothing else of it but signals. */
export interface ModeContext extends Printer {
  verbose: boolean;
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Whether a person reads stdout. */
  isTerminal: boolean;
}

/**
 * Makes an action of the work of a mode, which is given the arguments and the options as commander
 * parsed them. The work resolves to the exit code unless that is 0; it rejects with an AnalyserError
 * for what went wrong outside.
 */
export type Run = <Given extends unknown[]>(
  work: (context: ModeContext, ...given: Given) => Promise<number> | Promise<void>,
) => (this: Command, ...given: Given) => Promise<void>;

/**
 * Adds a mode, or several that share their options, to the program. Every start defines all modes, so
 * each action imports the code of its mode itself.
 */
export type AddModes = (program: Command, run: Run) => void;
