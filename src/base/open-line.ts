import type { WriteStream } from 'node:tty';

export type Output = Pick<WriteStream, 'write'> & { isTTY?: boolean };

/** Terminals that show an unfinished progress line; the next writer has to end it first. */
const open = new WeakSet<Output>();

export function rewriteLine(output: Output, text: string): void {
  output.write(`\r\u001b[K${text}`);
  open.add(output);
}

export function eraseLine(output: Output): void {
  if (open.delete(output)) output.write('\r\u001b[K');
}

export function endLine(output: Output): void {
  if (open.delete(output)) output.write('\n');
}
