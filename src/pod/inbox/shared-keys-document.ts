import type { Triple } from '../../solid/documents/sparql-update.js';
import { isAbsent, requireSuccess } from '../../solid/require-success.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { statementsAbout } from './statements-about.js';

export interface InboxLimits {
  maxBytes: number;
  mostStatements: number;
}

/** Generous, so that nobody can push everybody out by filling the inbox. */
const LARGEST: InboxLimits = { maxBytes: 128 * 1024 * 1024, mostStatements: Infinity };

/** All statements about the subjects; null when there is no document yet. */
export async function readShareStatements(
  client: SolidClient,
  url: string,
  subjects: readonly string[],
  limits = LARGEST,
): Promise<Triple[] | null> {
  const fetched = await fetchSharedKeys(client, url, limits);
  if (fetched === null) return null;
  const text = fetched.body.toString('utf8');
  return await statementsAbout(text, fetched.url, subjects, limits.mostStatements);
}

/** Null when nothing was ever shared with the Pod. */
export async function fetchSharedKeys(
  client: SolidClient,
  url: string,
  { maxBytes } = LARGEST,
): Promise<{ body: Buffer; url: string } | null> {
  // Any type: the Community Solid Server hangs when it has to turn broken JSON-LD into Turtle.
  const headers = { accept: '*/*' };
  const answer = await client.request(url, { headers, maxBytes });
  if (isAbsent(answer)) return null;
  return { body: requireSuccess(answer, 'read').body, url: answer.url };
}
