#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { runCommandLine } from './run-command-line.js';

// With few cores the collector's helpers wait for one, and everything else waits for them. Started
// with --single-threaded-gc, there are none; later than that, only this much can be said.
setFlagsFromString('--no-parallel-scavenge');

// `… | head` closes the pipe early, and nobody is left to be told.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  print: (text) => process.stdout.write(`${text}\n`),
  printError: (text) => process.stderr.write(`${text}\n`),
});
