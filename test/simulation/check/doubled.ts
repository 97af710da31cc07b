import { vocabulary as v } from '../../../src/pod/formats/vocabulary.js';
import { valuesOf } from '../server/statements.js';
import type { World } from '../world.js';
import type { Past } from './past.js';

const single = [v.sharedPath, v.sharedAccess, v.sharedKey, v.path, v.iv, v.sessionKey];

/** The app fails on two values where one belongs, so that there are two at no moment: returns where there are. */
export function doubledIn({ server, analyser }: World, { spoilt }: Past, url: string): string[] {
  const { documents } = analyser.pod;
  const isOfKeys = url.endsWith('/shared-keys.ttl') || url === documents.indKeys;
  if (!isOfKeys || url === documents.sharedKeys || spoilt.has(url)) return [];
  const statements = server.triplesOf(url);
  const subjects = new Set(statements.map(({ subject }) => subject));
  return [...subjects].flatMap((subject) =>
    single
      .filter((predicate) => valuesOf(statements, subject, predicate).length > 1)
      .map((predicate) => `meanwhile ${url} has two values of ${predicate}`),
  );
}
