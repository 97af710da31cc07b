import type { Printer } from './printer.js';

/** What a mode is given; nothing else of the process belongs in it but signals. */
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

/** As the help shows it: `--json`, `--shared <count>`; and a default. */
export type Flag = readonly [flags: string, description: string, value?: string];

/** One line of the mode table. The module is loaded only when its mode is asked for. */
export interface ModeEntry {
  /** A second word makes the mode part of a group: `app add`. */
  name: string;
  summary: string;
  /** Words that the mode needs, such as `<web_id>`. */
  argument?: string;
  /** Those that it cannot do without. */
  required?: readonly Flag[];
  flags: readonly Flag[];
  /** Shown below the flags. */
  notes?: string;
  load(): Promise<{ mode: Mode }>;
}
