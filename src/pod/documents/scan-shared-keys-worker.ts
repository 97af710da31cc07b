import { messageOf } from '../../base/errors.js';
import type { Triple } from '../../solid/sparql-update.js';
import { type ScannedInbox, scanShares, scanStatements } from './scan-shared-keys.js';

export interface ScanTask {
  body: Uint8Array;
  url: string;
  /** Null: every share. Otherwise all that is said about these. */
  subjects: readonly string[] | null;
}

/** An error loses its class between threads, so it crosses as its message. */
export type Scanned = ScannedInbox | { statements: Triple[] } | { malformed: string };

export function scanSharedKeys({ body, url, subjects }: ScanTask): Scanned {
  const turtle = Buffer.from(body).toString('utf8');
  try {
    if (subjects === null) return scanShares(turtle, url);
    return { statements: scanStatements(turtle, url, subjects) };
  } catch (error) {
    return { malformed: messageOf(error) };
  }
}
