import { styleText } from 'node:util';
import { cleanLine, escapeControls } from '../base/clean-text.js';

/** A line may hold text of a stranger, which must neither control the terminal nor begin a line. */
export interface Printer {
  print(this: void, line: string, tone?: Tone): void;
  /** Prints a text of our own, with its line breaks. */
  printText(this: void, text: string): void;
  printJson(this: void, value: unknown): void;
  /** Prints one line on stderr, where the logs go as well. */
  printError(this: void, line: string, tone?: Tone): void;
}

export type Tone = 'good' | 'careful' | 'bad';

export interface Outlet {
  print(this: void, text: string): void;
  printError(this: void, text: string): void;
  colours?: { out: boolean; err: boolean };
}

const colourOf = { good: 'green', careful: 'yellow', bad: 'red' } as const;

export function createPrinter({ print, printError, colours }: Outlet): Printer {
  const paint = (line: string, tone: Tone | undefined, isColoured = false) =>
    tone === undefined || !isColoured
      ? cleanLine(line)
      : styleText(colourOf[tone], cleanLine(line), { validateStream: false });
  return {
    print: (line, tone) => print(paint(line, tone, colours?.out)),
    printText: (text) => print(text.split('\n').map(cleanLine).join('\n')),
    printJson: (value) => print(escapeControls(JSON.stringify(value, null, 2))),
    printError: (line, tone) => printError(paint(line, tone, colours?.err)),
  };
}

export interface JsonFlag {
  json?: boolean;
}

/** Prints one aligned line for each field of an outcome or, with --json, the outcome itself as JSON for scripts. */
export function printFields(
  { print, printJson }: Printer,
  { json = false }: JsonFlag,
  outcome: object,
): void {
  if (json) {
    printJson(outcome);
    return;
  }
  const width = Math.max(...Object.keys(outcome).map((name) => name.length));
  for (const [name, value] of Object.entries(outcome)) {
    print(`${name.replaceAll('_', ' ').padEnd(width)}  ${show(value)}`);
  }
}

function show(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === '' ? '–' : String(value);
}
