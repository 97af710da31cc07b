import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { writeClientPackage } from './client-package.js';

/**
 * `npm run pack:client`: bp-analyser-client-VERSION.tgz in this folder, from a build of its own,
 * because a running service uses dist/.
 */
const built = resolve('var/client-build');
const target = resolve('var/client-package');
const compile = ['tsc', '-p', 'tsconfig.build.json', '--outDir', built];
execFileSync('npx', compile, { stdio: 'inherit' });
await writeClientPackage(built, target);
execFileSync('npm', ['pack', '--pack-destination', resolve('.')], {
  cwd: target,
  stdio: 'inherit',
});
process.stdout.write(`Made from ${join(target, 'package.json')}.\n`);
