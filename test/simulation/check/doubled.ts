import { vocabulary as v } from '../../../src/pod/formats/vocabulary.js';
import { valuesOf } from '../server/statements.js';
import type { World } from '../world.js';
import type { Past } from './past.js';
import type { Scene } from './scene.js';

const single = [v.sharedPath, v.sharedAccess, v.sharedKey, v.path, v.iv, v.sessionKey];

/**
 * The app fails on two values where one belongs, so that there are two at no moment: returns where there are. `isDenied`:
 * the server says that the document is not there, so nobody can take an earlier value away, but there is one new one.
 */
export function doubledIn(
  { server, analyser }: World,
  { spoilt }: Past,
  { url, isDenied }: { url: string; isDenied: boolean },
): string[] {
  const { documents } = analyser.pod;
  const isOfKeys = url.endsWith('/shared-keys.ttl') || url === documents.indKeys;
  if (!isOfKeys || url === documents.sharedKeys || spoilt.has(url)) return [];
  const statements = server.triplesOf(url);
  const subjects = new Set(statements.map(({ subject }) => subject));
  return [...subjects].flatMap((subject) =>
    single
      .filter((predicate) => valuesOf(statements, subject, predicate).length > (isDenied ? 2 : 1))
      .map((predicate) => `meanwhile ${url} has too many values of ${predicate}`),
  );
}

/** What was added to a document that is said not to be there stays until it is replaced. */
export function noteDenied(scene: Scene): void {
  const { analyser, everybody } = scene.world;
  const inboxes = everybody.map(({ pod }) => pod.documents.sharedKeys);
  for (const url of [analyser.pod.documents.indKeys, ...inboxes]) {
    if (scene.refusals(url) > 0) scene.past.spoilt.add(url);
  }
}
