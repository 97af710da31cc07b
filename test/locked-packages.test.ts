import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

const entrySchema = z.object({
  integrity: z.string().optional(),
  resolved: z.string().optional(),
  optional: z.boolean().default(false),
  dev: z.boolean().default(false),
  hasInstallScript: z.boolean().default(false),
  os: z.array(z.string()).optional(),
  cpu: z.array(z.string()).optional(),
  libc: z.array(z.string()).optional(),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});
const lockSchema = z.object({ packages: z.record(z.string(), entrySchema) });
type Packages = z.infer<typeof lockSchema>['packages'];

/** Without the project itself. */
function readLock(part: string): Packages {
  const text = readFileSync(new URL(`../${part}package-lock.json`, import.meta.url), 'utf8');
  const { '': _root, ...packages } = lockSchema.parse(JSON.parse(text)).packages;
  return packages;
}

/** Where Node.js would look, from the package outwards. */
function isLocked(packages: Packages, from: string, name: string): boolean {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    if (packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`] !== undefined) return true;
    if (at === '') return false;
  }
}

describe.each(['', 'tools/'])('every package of %j', (part) => {
  const packages = readLock(part);

  /** `npm ci` installs nothing whose checksum is not the locked one; without a checksum it would take anything. */
  test('has its checksum, unless it is for another platform, and no download address', () => {
    expect(Object.keys(packages).length).toBeGreaterThan(10);
    const open = Object.entries(packages).filter(
      ([, { integrity, optional, os, cpu, libc, resolved }]) =>
        resolved !== undefined ||
        (integrity?.startsWith('sha512-') !== true &&
          !(optional && [os, cpu, libc].some((platform) => platform !== undefined))),
    );
    expect(open).toEqual([]);
  });

  test('comes with those that it needs on other platforms, so that npm ci works on each', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies }]) =>
      Object.keys(optionalDependencies).filter((name) => !isLocked(packages, path, name)),
    );
    expect(missing).toEqual([]);
  });
});

test('no package that ships needs an install script', () => {
  const shipped = Object.entries(readLock('')).filter(([, { dev }]) => !dev);
  const names = shipped.flatMap(([name, { hasInstallScript }]) => (hasInstallScript ? [name] : []));
  // That of protobufjs only warns of a version range that differs from its habits; that of
  // msgpackr-extract builds what msgpackr does without. The tests run without either.
  expect(names).toEqual(['node_modules/msgpackr-extract', 'node_modules/protobufjs']);
});
