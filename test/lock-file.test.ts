import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';

const entrySchema = z.object({
  version: z.string().optional(),
  resolved: z.string().optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});
const lockSchema = z.object({ packages: z.record(z.string(), entrySchema) });

const { packages } = lockSchema.parse(
  JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')),
);

/** Where Node.js would look, from the package outwards. */
function isLocked(from: string, name: string): boolean {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    if (packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`] !== undefined) return true;
    if (at === '') return false;
  }
}

test('packages for other platforms are locked too, so that npm ci works on each', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
  );
  expect(missing).toEqual([]);
});

test('the lock file records no download addresses', () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});
