#!/usr/bin/env node
import { endLine } from '../base/open-line.js';
import { runCommandLine } from './run-command-line.js';

// A reader that closes the pipe early, such as `… | head`, is no failure.
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
  colours: { out: showsColours(process.stdout), err: showsColours(process.stderr) },
});
