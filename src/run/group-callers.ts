import { groupBy } from '../base/lists.js';
import type { Conclusion } from './conclude/conclude.js';
import { type GatheredShares, namesOthersOf } from './gather/gather-shares.js';
import type { Recipient } from './publish/recipient-documents.js';
import { isReadWhole, type PodReading } from './read/read-task.js';
import type { CallInTurn } from './turn.js';

/** Calls that share a publication and a run document: all calls of one WebID, or the only call of run-once. */
export interface CallerGroup {
  calls: readonly CallInTurn[];
  recipients: readonly Recipient[];
  /** The caller's Pod, if there was no time to ask for all of its files: then the calls fail. Else null. */
  late: PodReading | null;
  /** False for a WebID of which nothing is known: anybody can invent one, so no run document is stored. */
  isRecorded: boolean;
}

/** Two calls of one WebID share a publication; run-once publishes for everybody. */
export function groupCallers(
  calls: readonly CallInTurn[],
  conclusion: Conclusion,
  shares: Pick<GatheredShares, 'notWanted'>,
): CallerGroup[] {
  const { contributors } = conclusion;
  const readable = contributors.filter(isReadWhole);
  return Array.from(
    groupBy(calls, ({ webId }) => webId),
    ([webId, ofCaller]) => ({
      calls: ofCaller,
      recipients: readable
        .filter(({ owner }) => webId === null || webId === owner.webId)
        .map((pod) => ({ pod, webId: pod.owner.webId, podId: pod.owner.podId })),
      late:
        contributors.find(({ owner, notAsked }) => owner.webId === webId && notAsked > 0) ?? null,
      isRecorded:
        webId === null ||
        contributors.some(({ owner }) => owner.webId === webId) ||
        namesOthersOf(shares, webId),
    }),
  );
}
