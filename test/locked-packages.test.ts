import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      integrity: z.string().optional(),
      optional: z.boolean().default(false),
      dev: z.boolean().default(false),
      hasInstallScript: z.boolean().default(false),
      os: z.array(z.string()).optional(),
      cpu: z.array(z.string()).optional(),
      libc: z.array(z.string()).optional(),
    }),
  ),
});

/** `npm ci` installs nothing whose checksum is not the locked one; without a checksum it would take anything. */
test.each(['', 'tools/'])(
  'every package of %j has its checksum, unless it is for another platform',
  (part) => {
    const path = fileURLToPath(new URL(`../${part}package-lock.json`, import.meta.url));
    const { packages } = lockSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    const { '': _root, ...wanted } = packages;
    expect(Object.keys(wanted).length).toBeGreaterThan(10);
    const open = Object.entries(wanted).filter(
      ([, { integrity, optional, os, cpu, libc }]) =>
        integrity?.startsWith('sha512-') !== true &&
        !(optional && [os, cpu, libc].some((platform) => platform !== undefined)),
    );
    expect(open).toEqual([]);
  },
);

test('no package that ships needs an install script', () => {
  const path = fileURLToPath(new URL('../package-lock.json', import.meta.url));
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  const shipped = Object.entries(packages).filter(([, { dev }]) => !dev);
  const names = shipped.flatMap(([name, { hasInstallScript }]) => (hasInstallScript ? [name] : []));
  // That of protobufjs only warns of a version range that differs from its habits; that of
  // msgpackr-extract builds what msgpackr does without. The tests run without either.
  expect(names).toEqual(['node_modules/msgpackr-extract', 'node_modules/protobufjs']);
});
