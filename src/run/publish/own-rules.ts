import { type OwnRules, readOwnRules } from '../../pod/access-control.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { stoppedBy } from '../../solid/stopped-by.js';

/** Who may read a document at present; asked for ahead or on demand. */
export type RulesOf = (url: string) => Promise<OwnRules>;

/** Asks at once, so that nobody waits later. A failure is thrown only where the answer is used. */
export function askOwnRules(
  client: SolidClient,
  urls: readonly string[],
  signal: AbortSignal,
): RulesOf {
  const stoppable = stoppedBy(client, signal);
  const asked = new Map(urls.map((url) => [url, readOwnRules(stoppable, url)]));
  for (const answer of asked.values()) answer.catch(() => undefined);
  return (url) => asked.get(url) ?? readOwnRules(client, url);
}
