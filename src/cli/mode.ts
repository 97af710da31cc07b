import type { Command } from 'commander';

/** What a mode is given; nothing else of the process belongs in it but signals. */
export interface ModeContext {
  /** The words after the mode, as declared by `configure`. */
  args: readonly string[];
  /** The flags declared by `configure`, under their camelCase names. */
  options: Readonly<Record<string, unknown>>;
  verbose: boolean;
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** On stdout: what the mode was asked for. */
  print(this: void, text: string): void;
  /** On stderr, where the logs go too. */
  printError(this: void, text: string): void;
}

export interface Mode {
  /** Declares the arguments and flags of the mode. */
  configure?(command: Command): void;
  /** Returns the exit code; throws an AnalyserError for what went wrong outside. */
  run(context: ModeContext): Promise<number>;
}

/** One line of the mode table. The module is loaded only when its mode is asked for. */
export interface ModeEntry {
  /** A second word makes the mode part of a group: `app record`. */
  name: string;
  summary: string;
  /** For the help text, such as `<web_id>`. */
  usage?: string;
  load(): Promise<{ mode: Mode }>;
}
