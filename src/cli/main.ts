#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { endLine } from '../base/open-line.js';
import { runCommandLine } from './run-command-line.js';

// With few cores the collector's helpers wait for one, and everything else waits for them.
setFlagsFromString('--no-parallel-scavenge');
// Left to itself, the heap grows to four times what it holds before all of it is gone through: more
// memory, and longer pauses.
setFlagsFromString('--heap-growing-percent=40');

// `… | head` closes the pipe early, and nobody is left to be told.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const showsColours = (stream: NodeJS.WriteStream) =>
  stream.isTTY && (process.env['NO_COLOR'] ?? '') === '';

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  print: (text) => {
    endLine(process.stderr);
    process.stdout.write(`${text}\n`);
  },
  printError: (text) => {
    endLine(process.stderr);
    process.stderr.write(`${text}\n`);
  },
  isTerminal: process.stdout.isTTY,
  colours: { out: showsColours(process.stdout), err: showsColours(process.stderr) },
});
