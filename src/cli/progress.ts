import { endLine, eraseLine, type Output, rewriteLine } from '../base/open-line.js';

const LINES_OF_A_LOG = 10;

/** The same as in run.sh. */
const SIGN_OF_LIFE_MS = 15_000;

/** Shows progress: on a terminal in one line that counts up and shows the elapsed time; elsewhere in plain lines. */
export function createProgress(label: string, output: Output = process.stderr) {
  const elapsed = startClock();
  let shown = -1;
  return (done: number, all: number): void => {
    if (output.isTTY === true) {
      rewriteLine(output, `${label}: ${done} of ${all}${elapsed()}`);
      if (done === all) endLine(output);
    } else if (done === all || done - shown >= all / LINES_OF_A_LOG) {
      shown = done;
      output.write(`${label}: ${done} of ${all}\n`);
    }
  };
}

/** Counts seconds on a terminal, until the returned function is called; elsewhere it writes a line now and then. */
export function countSeconds(label: string, output: Output = process.stderr): () => void {
  const elapsed = startClock();
  if (output.isTTY !== true) {
    const timer = setInterval(() => output.write(`${label}${elapsed()}\n`), SIGN_OF_LIFE_MS);
    return () => clearInterval(timer);
  }
  const show = () => rewriteLine(output, `${label}${elapsed()}`);
  show();
  const timer = setInterval(show, 1000);
  return () => {
    clearInterval(timer);
    eraseLine(output);
  };
}

function startClock(): () => string {
  const start = performance.now();
  return () => {
    const seconds = Math.floor((performance.now() - start) / 1000);
    return seconds === 0 ? '' : ` (${seconds} s)`;
  };
}
