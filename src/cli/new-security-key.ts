import { randomBytes } from 'node:crypto';
import { AnalyserError } from '../base/errors.js';

const SHORTEST = 12;

/** For a new Pod only: the key of a Pod that has keys already was chosen elsewhere. */
export function refuseShortKey(key: string): void {
  if (key.length >= SHORTEST) return;
  throw new AnalyserError(
    'configuration',
    `The security key is shorter than ${SHORTEST} characters. Anybody with a copy of the storage can try keys without end: choose a longer one, or leave it out and have one made up.`,
  );
}

export function makeUpSecret(): string {
  return randomBytes(24).toString('base64url');
}
