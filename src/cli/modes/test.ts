import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { AnalyserError } from '../../base/errors.js';
import { exitCodes } from '../exit-codes.js';
import type { AddModes, ModeContext } from '../mode.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const vitest = `${root}node_modules/vitest/vitest.mjs`;

export const test: AddModes = (program, run) =>
  program
    .command('test')
    .description('Run the offline test suite: no server, no network.')
    .action(run(() => Promise.resolve(runTests)));

async function runTests({ env }: ModeContext): Promise<number> {
  if (!existsSync(vitest) || !existsSync(`${root}vitest.config.ts`)) {
    throw new AnalyserError(
      'configuration',
      'The tests are part of the source repository, not of the package: run ./run.sh test there.',
    );
  }
  const child = spawn(process.execPath, [vitest, 'run'], {
    cwd: root,
    env: withoutSettings(env),
    stdio: 'inherit',
  });
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  process.on('SIGINT', forward).on('SIGTERM', forward);
  return await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      resolve(signal === null ? (code ?? exitCodes.failed) : 128 + constants.signals[signal]);
    });
  });
}

/** Removes the APP_ variables, so that the settings of the person who runs the tests do not change their outcome. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('APP_')));
}
