import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { writeClientPackage } from './client-package.js';
import { transpileFolder } from './transpile.js';

/**
 * `npm run pack:client`: bp-analyser-client-VERSION.tgz in this folder, from a build of its own,
 * because a running service uses dist/. On stdout stands its path alone, so that a shell can install it.
 */
const built = resolve('var/client-build');
const target = resolve('var/client-package');
await transpileFolder(resolve('src'), built);
const declaring = ['run', '--silent', 'build:types', '--', '--outDir', built];
execFileSync('npm', declaring, { stdio: ['ignore', 2, 2] });
await writeClientPackage(built, target);
const packing = ['pack', '--silent', '--pack-destination', resolve('.')];
const file = execFileSync('npm', packing, { cwd: target, encoding: 'utf8' }).trim();
process.stdout.write(`${resolve(file)}\n`);
