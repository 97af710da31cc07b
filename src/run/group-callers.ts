import { groupBy } from '../base/lists.js';
import type { Conclusion } from './conclude/conclude.js';
import type { Recipient } from './publish/recipient-documents.js';
import type { PodReading } from './read/read-task.js';
import type { CallInTurn } from './turn.js';

/** Calls with one publication and one run document: those of one WebID, or the one of run-once for everybody. */
export interface CallerGroup {
  calls: readonly CallInTurn[];
  recipients: readonly Recipient[];
  /** The Pod of a caller whose files could not all be asked for in time, so that the calls fail; else null. */
  late: PodReading | null;
  /** False for an unknown WebID, which anybody can invent: no run document is stored. */
  isRecorded: boolean;
}

/** Two calls of one WebID share a publication; run-once publishes for everybody. */
export function groupCallers(calls: readonly CallInTurn[], conclusion: Conclusion): CallerGroup[] {
  const { contributors } = conclusion;
  // Part of somebody's files would be a wrong result.
  const readable = contributors.filter(
    ({ filesRead, notAsked }) => filesRead > 0 && notAsked === 0,
  );
  return Array.from(
    groupBy(calls, ({ webId }) => webId),
    ([webId, ofCaller]) => ({
      calls: ofCaller,
      recipients: readable
        .filter(({ owner }) => webId === null || webId === owner.webId)
        .map((pod) => ({ pod, webId: pod.owner.webId, podId: pod.owner.podId })),
      late:
        contributors.find(({ owner, notAsked }) => owner.webId === webId && notAsked > 0) ?? null,
      isRecorded: webId === null || contributors.some(({ owner }) => owner.webId === webId),
    }),
  );
}
