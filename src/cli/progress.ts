import { endLine, type Output, rewriteLine } from '../base/open-line.js';

/** Elsewhere than on a terminal a line now and then is enough. */
const LINES = 10;

/** On a terminal one line that counts up; plain lines otherwise. */
export function createProgress(output: Output) {
  return (label: string) => {
    let shown = -1;
    return (done: number, all: number): void => {
      if (output.isTTY === true) {
        rewriteLine(output, `${label}: ${done} of ${all}`);
        if (done === all) endLine(output);
      } else if (done === all || done - shown >= all / LINES) {
        shown = done;
        output.write(`${label}: ${done} of ${all}\n`);
      }
    };
  };
}
