import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { writeClientPackage } from './client-package.js';

/** `npm run pack:client`: bp-analyser-client-VERSION.tgz in this folder, from a fresh build. */
const target = resolve('var/client-package');
execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
await writeClientPackage(resolve('dist'), target);
execFileSync('npm', ['pack', '--pack-destination', resolve('.')], {
  cwd: target,
  stdio: 'inherit',
});
process.stdout.write(`Made from ${join(target, 'package.json')}.\n`);
