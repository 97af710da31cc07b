// Exits 0 when node_modules holds exactly what package-lock.json asks for, by npm's own record:
// here, or in the folder that is named.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2] ?? '.';

function isInstalled() {
  const record = join(folder, 'node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const read = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
  const installed = read(record);
  const { '': _root, ...locked } = read(join(folder, 'package-lock.json'));
  const same = Object.entries(installed).every(
    ([path, { version, integrity }]) =>
      locked[path]?.version === version && locked[path]?.integrity === integrity,
  );
  // Packages for other platforms are locked, and rightly absent.
  return (
    same && Object.entries(locked).every(([path, { optional }]) => optional || installed[path])
  );
}

process.exitCode = isInstalled() ? 0 : 1;
