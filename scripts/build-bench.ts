import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { transpileFolder } from './transpile.js';

/** The benchmarks with the sources as they are, as JavaScript, which starts as fast as what is installed. */
const target = resolve('var/bench');
await Promise.all(
  ['src', 'bench'].map((name) => transpileFolder(resolve(name), join(target, name))),
);
await copyFile('package.json', join(target, 'package.json'));
