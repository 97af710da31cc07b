import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { registryEnv } from './registry.js';

const start = promisify(execFile);

/** The folder with the program `node` of this version: the one that runs here, or one that npm installs below a folder. */
export async function findNode(major: number, folder: string): Promise<string> {
  if (process.versions.node.startsWith(`${major}.`)) return dirname(process.execPath);
  const name = `node-${process.platform}-${process.arch}`;
  const install = ['install', '--loglevel=error', '--no-save', '--ignore-scripts'];
  await start('npm', [...install, '--prefix', folder, `${name}@${major}`], {
    env: { ...process.env, ...registryEnv() },
  });
  return join(folder, 'node_modules', name, 'bin');
}
