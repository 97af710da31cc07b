#!/usr/bin/env node
import { runCommandLine } from './run-command-line.js';

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  print: (line) => process.stdout.write(`${line}\n`),
  printError: (line) => process.stderr.write(`${line}\n`),
});
