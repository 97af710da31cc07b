import { styleText } from 'node:util';
import { cleanLine, escapeControls } from '../base/clean-text.js';

/**
 * The one way to the terminal. Whatever is printed may hold what a service, a server or a stranger
 * wrote: no control character of it arrives, so that it can neither drive the terminal nor end its
 * line and begin one that looks like ours.
 */
export interface Printer {
  /** One line; on a terminal, in the colour of its tone. */
  print(this: void, line: string, tone?: Tone): void;
  /** Text of our own making, whose line breaks stay. */
  printText(this: void, text: string): void;
  printJson(this: void, value: unknown): void;
  /** On stderr, where the logs go too. */
  printError(this: void, line: string, tone?: Tone): void;
}

export type Tone = 'good' | 'careful' | 'bad';

export interface Outlet {
  print(this: void, text: string): void;
  printError(this: void, text: string): void;
  /** Which of the two show colours; default: neither. */
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
