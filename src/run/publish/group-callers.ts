import { groupBy } from '../../base/lists.js';
import type { NamedCall } from '../assignment.js';
import type { ConcludedPod } from '../conclude/concluded-pod.js';
import { isReadable } from '../read/pod-reading.js';
import { type Gathered, leavesOut, namesUnanalysed } from '../table/gather-shares.js';

/** Calls that share a publication and a run document: all calls of one WebID, or the only call of run-once. */
export interface CallerGroup {
  /** Null for run-once. */
  webId: string | null;
  calls: readonly NamedCall[];
  /** Who is given a result. */
  recipients: readonly ConcludedPod[];
  /**
   * False for a WebID of which nothing is known, since anybody can invent one, and for one that the operator leaves
   * out: then no run document is stored.
   */
  isRecorded: boolean;
}

/** Calls that fail, because not all was asked for that the result of their Pod needs. */
export interface LateGroup {
  calls: readonly NamedCall[];
  pod: ConcludedPod;
}

/** Two calls of one WebID share a publication; run-once publishes for everybody. */
export function groupCallers(
  calls: readonly NamedCall[],
  pods: readonly ConcludedPod[],
  gathered: Pick<Gathered, 'notWanted' | 'excluded'>,
): { groups: CallerGroup[]; late: LateGroup[] } {
  const isKnown = (webId: string) =>
    namesUnanalysed(gathered, webId) && !leavesOut(gathered, webId);
  const byWebId = new Map(pods.map((pod) => [pod.owner.webId, pod]));
  const groups: CallerGroup[] = [];
  const late: LateGroup[] = [];
  for (const [webId, ofCaller] of groupBy(calls, (call) => call.webId)) {
    if (webId === null) {
      const recipients = pods.filter(isReadable);
      groups.push({ webId, calls: ofCaller, recipients, isRecorded: true });
      continue;
    }
    const pod = byWebId.get(webId);
    if (pod?.isLate === true) {
      late.push({ calls: ofCaller, pod });
    } else {
      const recipients = pod !== undefined && isReadable(pod) ? [pod] : [];
      const isRecorded = pod !== undefined || isKnown(webId);
      groups.push({ webId, calls: ofCaller, recipients, isRecorded });
    }
  }
  return { groups, late };
}
