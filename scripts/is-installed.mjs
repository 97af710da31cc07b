// Exits 0 when node_modules holds exactly what package-lock.json asks for, by npm's own record.
import { existsSync, readFileSync } from 'node:fs';

const record = 'node_modules/.package-lock.json';

function isInstalled() {
  if (!existsSync(record)) return false;
  const read = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
  const installed = read(record);
  const { '': _root, ...locked } = read('package-lock.json');
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
