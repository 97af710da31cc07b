import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { z } from 'zod';
import { createPrivatePem } from '../../src/pod/crypto/rsa.js';
import { writeFileAtomically } from '../../src/store/files.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** In PEM. */
    privateKeys: string[];
  }
}

/** More than any test has Pods. */
const PAIRS = 40;
/** Goes when the packages are installed anew. */
const cache = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));

/**
 * Runs once before all test files. Making its key pair is half of the work of making a Pod ready, so
 * the Pods of the tests take these in turn, in every run the same.
 */
export default async function setup(project: TestProject): Promise<void> {
  const path = `${cache}key-pairs.json`;
  const kept: unknown = await readFile(path, 'utf8').then(JSON.parse, () => null);
  project.provide('privateKeys', z.array(z.string()).safeParse(kept).data ?? (await make(path)));
}

async function make(path: string): Promise<string[]> {
  const keys = await Promise.all(Array.from({ length: PAIRS }, createPrivatePem));
  await mkdir(cache, { recursive: true });
  await writeFileAtomically(path, JSON.stringify(keys), 0o600);
  return keys;
}

let taken = 0;

export function nextKey(): Promise<string> {
  const keys = inject('privateKeys');
  const key = keys[taken % keys.length];
  taken += 1;
  if (key === undefined) throw new Error('There are no key pairs.');
  return Promise.resolve(key);
}
