import type { Printer } from './printer.js';

/** What a mode gets from the process; it uses nothing else of it but signals. */
export interface ModeContext extends Printer {
  /** The words after the mode, as declared by its arguments. */
  args: readonly string[];
  /** The declared flags, under their camelCase names. */
  options: Readonly<Record<string, unknown>>;
  verbose: boolean;
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Whether a person reads stdout. */
  isTerminal: boolean;
}

export interface Mode {
  /** Returns the exit code; throws an AnalyserError for what went wrong outside. */
  run(context: ModeContext): Promise<number>;
}

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
