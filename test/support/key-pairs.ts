import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { createKeyPair } from '../../src/pod/crypto/rsa.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** In PEM. */
    privateKeys: string[];
  }
}

/** More than any test has Pods. */
const PAIRS = 40;

/**
 * Runs once before all test files. Making its key pair is half of the work of making a Pod ready, so
 * the Pods of the tests take these in turn.
 */
export default async function setup(project: TestProject): Promise<void> {
  const pairs = await Promise.all(Array.from({ length: PAIRS }, createKeyPair));
  project.provide(
    'privateKeys',
    pairs.map(({ privatePem }) => privatePem),
  );
}

let taken = 0;

export function nextKeys(): Promise<{ privatePem: string }> {
  const keys = inject('privateKeys');
  const privatePem = keys[taken % keys.length];
  taken += 1;
  if (privatePem === undefined) throw new Error('There are no key pairs.');
  return Promise.resolve({ privatePem });
}
