import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { atEnd } from './at-end.js';

/** A new folder, which goes when the test file ends. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bp-test-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A new folder for each test, which goes after it. */
export function folderForEach(): () => string {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bp-test-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  return () => folder;
}
