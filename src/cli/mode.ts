import type { Printer } from './printer.js';

/** What a mode gets from the process; it uses nothing else of it but signals. */
export interface ModeContext extends Printer {
  /** The words after the mode, as declared by its arguments. */
  args: readonly string[];
  /** What stands after a declared flag, which is named in camelCase. */
  value(this: void, name: string): string | undefined;
  /** Whether a declared flag without a value was given, named likewise. */
  has(this: void, name: string): boolean;
  verbose: boolean;
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Whether a person reads stdout. */
  isTerminal: boolean;
}

/**
 * Resolves to the exit code unless that is 0; rejects with an AnalyserError for what went wrong
 * outside.
 */
export type Mode = (context: ModeContext) => Promise<number> | Promise<void>;

/** A flag as the help shows it, `--json` or `--shared <count>`, with its default. */
export type Flag = readonly [flags: string, description: string, value?: string];

/** One line of the mode table. The module is loaded only when its mode is asked for. */
export interface ModeEntry {
  /** A second word makes the mode part of a group: `app add`. */
  name: string;
  summary: string;
  /** Arguments of the mode, such as `<web_id>`. */
  argument?: string;
  /** Flags that must be given. */
  required?: readonly Flag[];
  flags: readonly Flag[];
  /** Text that the help shows below the flags. */
  notes?: string;
  load(): Promise<{ mode: Mode }>;
}
