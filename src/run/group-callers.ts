import { groupBy } from '../base/lists.js';
import { canonicalRoot, parseWebId, webIdOfRoot } from '../pod/addresses.js';
import type { CallInTurn } from '../queue/turn.js';
import type { Conclusion } from './conclude/conclude.js';
import type { Recipient } from './publish/recipient-documents.js';
import type { PodReading } from './read/read-task.js';

/** Calls with one publication: those of one WebID, or the one of run-once for everybody. */
export interface CallerGroup {
  calls: readonly CallInTurn[];
  recipients: readonly Recipient[];
}

/** Two calls of one WebID share a publication; run-once publishes for everybody. */
export function groupCallers(calls: readonly CallInTurn[], conclusion: Conclusion): CallerGroup[] {
  const readable = conclusion.contributors.filter(({ filesRead }) => filesRead > 0);
  return Array.from(
    groupBy(calls, ({ webId }) => webId),
    ([webId, ofCaller]) => ({
      calls: ofCaller,
      recipients: readable
        .filter(({ owner }) => webId === null || canonicalRoot(webId) === owner.root)
        .map((pod) => recipientOf(pod, webId ?? pod.owner.webId, conclusion)),
    }),
  );
}

/** A document is open to every spelling, so that one adds to the others and replaces none. */
function recipientOf(pod: PodReading, webId: string, { podIds }: Conclusion): Recipient {
  const { owner } = pod;
  const spelling = parseWebId(webId)?.root ?? owner.root;
  return {
    pod,
    webId,
    podId: podIds.get(spelling) ?? owner.podId,
    spellings: [...new Set([owner.webId, webIdOfRoot(owner.root), webId])],
  };
}
