import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { isUnreachable } from './support/registry.js';

const repository = fileURLToPath(new URL('../', import.meta.url));
const lockSchema = z.looseObject({
  packages: z.record(
    z.string(),
    z.looseObject({
      integrity: z.string().optional(),
      optional: z.boolean().default(false),
      os: z.array(z.string()).optional(),
      cpu: z.array(z.string()).optional(),
      libc: z.array(z.string()).optional(),
    }),
  ),
});
type Lock = z.infer<typeof lockSchema>;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bp-locked-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const readLock = (path: string): Lock => lockSchema.parse(JSON.parse(readFileSync(path, 'utf8')));

/** As `run.sh` does, but for the place; npm compares what it is given with the lock file. */
async function install(part: string, change: (lock: Lock) => void = () => undefined) {
  cpSync(join(repository, '.npmrc'), join(folder, '.npmrc'));
  cpSync(join(repository, part, 'package.json'), join(folder, 'package.json'));
  const lock = readLock(join(repository, part, 'package-lock.json'));
  change(lock);
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  // The level as well: below `npm run --silent`, npm would not say what is wrong.
  const quiet = ['--no-fund', '--no-audit', '--loglevel=error'];
  const command = ['ci', '--ignore-scripts', '--prefer-offline', ...quiet];
  const child = spawn('npm', command, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { lock, status: child.exitCode, stderr };
}

test.for(['', 'tools'])(
  'all packages of %j are those whose checksums are locked',
  { timeout: 300_000 },
  async (part, { skip }) => {
    const { lock, status, stderr } = await install(part);
    // Without a network there is nothing to compare.
    if (isUnreachable(stderr)) skip('No package registry can be reached.');
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const installed = readLock(join(folder, 'node_modules/.package-lock.json')).packages;
    const { '': _root, ...wanted } = lock.packages;
    for (const [path, { integrity, optional, os, cpu, libc }] of Object.entries(wanted)) {
      // What has no checksum is for another platform, and not there.
      const isThere = installed[path] !== undefined;
      expect({ path, isThere: isThere || optional }).toEqual({ path, isThere: true });
      if (isThere)
        expect({ path, integrity }).toEqual({ path, integrity: installed[path]?.integrity });
      if (integrity === undefined) {
        expect({ path, isThere, optional }).toEqual({ path, isThere: false, optional: true });
        expect([os, cpu, libc].some((platform) => platform !== undefined)).toBe(true);
      }
    }
  },
);

test('a package that is not the one whose checksum is locked is not installed', async () => {
  const { status, stderr } = await install('', ({ packages }) => {
    const entry = packages['node_modules/n3'];
    if (entry === undefined) throw new Error('n3 is not locked.');
    entry.integrity = `sha512-${Buffer.alloc(64).toString('base64')}`;
  });
  expect(status).not.toBe(0);
  if (!isUnreachable(stderr)) expect(stderr).toContain('EINTEGRITY');
}, 300_000);
