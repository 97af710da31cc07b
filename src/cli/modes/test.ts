import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
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

function runTests({ env }: ModeContext): Promise<number> {
  if (!existsSync(vitest) || !existsSync(`${root}vitest.config.ts`)) {
    throw new AnalyserError(
      'configuration',
      'The tests are part of the source repository, not of the package: run ./run.sh test there.',
    );
  }
  // Without the settings of the person who runs the tests, which would change their outcome.
  const own = Object.entries(env).filter(([name]) => !name.startsWith('APP_'));
  const options = { cwd: root, env: Object.fromEntries(own), stdio: 'inherit' } as const;
  const { status } = spawnSync(process.execPath, [vitest, 'run'], options);
  return Promise.resolve(status ?? exitCodes.failed);
}
