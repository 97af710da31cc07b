import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { atEnd } from './at-end.js';

/** A new folder, which goes when the test file ends. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bp-test-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A new folder for each test, which goes after it. */
export function folderForEach(): () => string {
  return folderBetween(beforeEach, afterEach);
}

/** One for all tests of a file or a block. */
export function folderForAll(): () => string {
  return folderBetween(beforeAll, afterAll);
}

type Hook = (run: () => Promise<void>) => void;

function folderBetween(before: Hook, after: Hook): () => string {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bp-test-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));
  return () => folder;
}
