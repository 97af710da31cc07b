import { mutate } from './mutate.js';

const WIDTH = 100;

process.exitCode = await mutate(process.cwd(), process.argv.slice(2), {
  print: (line) => process.stdout.write(`${line}\n`),
  // One line that changes, for whoever waits.
  progress: (text) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text.slice(0, WIDTH)}\r`);
  },
});
