import { groupBy } from '../../base/lists.js';
import type { NamedCall } from '../assignment.js';
import type { ConcludedPod } from '../conclude/concluded-pod.js';
import { isReadable } from '../read/pod-reading.js';
import { type Gathered, leavesOut, namesUnanalysed } from '../table/gather-shares.js';

/** Calls that share a publication and a run document: all calls of one WebID, or the only call of run-once. */
export interface CallerGroup {
  webId: string | null;
  calls: readonly NamedCall[];
  recipients: readonly ConcludedPod[];
  /** Whether a run document is stored: not for a WebID left out or unknown, since anybody can invent one. */
  isRecorded: boolean;
  /** Their Pod, if not all was asked for that its result needs: then the calls fail. */
  unfinished: ConcludedPod | null;
}

export function groupCallers(
  calls: readonly NamedCall[],
  pods: readonly ConcludedPod[],
  gathered: Pick<Gathered, 'notInView' | 'excluded'>,
): CallerGroup[] {
  const isKnown = (webId: string) =>
    namesUnanalysed(gathered, webId) && !leavesOut(gathered, webId);
  const byWebId = new Map(pods.map((pod) => [pod.owner.webId, pod]));
  const groupOf = (webId: string | null): Omit<CallerGroup, 'calls'> => {
    if (webId === null) {
      return { webId, recipients: pods.filter(isReadable), isRecorded: true, unfinished: null };
    }
    const pod = byWebId.get(webId);
    if (pod?.isUnfinished === true) {
      return { webId, recipients: [], isRecorded: false, unfinished: pod };
    }
    const recipients = pod !== undefined && isReadable(pod) ? [pod] : [];
    const isRecorded = pod !== undefined || isKnown(webId);
    return { webId, recipients, isRecorded, unfinished: null };
  };
  return Array.from(
    groupBy(calls, (call) => call.webId),
    ([webId, ofCaller]) => ({
      calls: ofCaller,
      ...groupOf(webId),
    }),
  );
}
