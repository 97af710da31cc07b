import type { DigestOf } from '../../memory/digests.js';
import type { Claim } from '../../memory/memory.js';
import { isFor } from '../../pod/outcome.js';
import type { PodReading, ShareToRead } from '../read/read-task.js';

type WithFiles = Pick<PodReading, 'files'>;

/**
 * Each key of the Pod's files, by digest: `own` if a file that it opened counts; `refused` if it was given for files
 * that do not count because it belongs to others.
 */
export function claimsOfPod(
  reading: WithFiles,
  shares: readonly ShareToRead[],
  digestOf: DigestOf,
): Map<string, Claim> {
  const claims = new Map<string, Claim>();
  for (const { outcome } of reading.files) {
    if (outcome.kind === 'read' && outcome.key !== null) {
      claims.set(digestOf('key', outcome.key), 'own');
    }
  }
  for (const key of foreignKeysOf(reading, shares)) {
    const digest = digestOf('key', key);
    if (!claims.has(digest)) claims.set(digest, 'refused');
  }
  return claims;
}

/**
 * The keys of others that files of the Pod were given, or that open them. Each share is looked at once, because one
 * folder can have thousands of files, and its entries thousands of keys.
 */
export function foreignKeysOf({ files }: WithFiles, shares: readonly ShareToRead[]): Buffer[] {
  const ofFiles: Buffer[] = [];
  const given = new Set<string | null>();
  for (const { url, listedIn, outcome } of files) {
    if (outcome.kind === 'read') continue;
    if (outcome.key !== undefined) ofFiles.push(outcome.key);
    else if (isFor(outcome, 'foreign key') || isFor(outcome, 'no key')) {
      given.add(url).add(listedIn);
    }
  }
  const ofShares = shares.filter(({ url }) => given.has(url));
  return [...ofFiles, ...ofShares.flatMap(({ foreignKeys }) => foreignKeys)];
}
