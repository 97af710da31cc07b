/** `Sharing: 25 of 52`, rewritten in place on a terminal and as a line each elsewhere. */
export function createProgress(
  printError: (text: string) => void,
): (what: string, done: number, all: number) => void {
  return (what, done, all) => {
    const text = `${what}: ${done} of ${all}`;
    if (!process.stderr.isTTY) printError(text);
    else process.stderr.write(`\r\u001b[K${text}${done >= all ? '\n' : ''}`);
  };
}
