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
export interface UnfinishedGroup {
  calls: readonly NamedCall[];
  pod: ConcludedPod;
}

/** Two calls of one WebID share a publication; run-once publishes for everybody. */
export function groupCallers(
  calls: readonly NamedCall[],
  pods: readonly ConcludedPod[],
  gathered: Pick<Gathered, 'notInView' | 'excluded'>,
): { groups: CallerGroup[]; unfinished: UnfinishedGroup[] } {
  const isKnown = (webId: string) =>
    namesUnanalysed(gathered, webId) && !leavesOut(gathered, webId);
  const byWebId = new Map(pods.map((pod) => [pod.owner.webId, pod]));
  const groups: CallerGroup[] = [];
  const unfinished: UnfinishedGroup[] = [];
  for (const [webId, ofCaller] of groupBy(calls, (call) => call.webId)) {
    if (webId === null) {
      const recipients = pods.filter(isReadable);
      groups.push({ webId, calls: ofCaller, recipients, isRecorded: true });
      continue;
    }
    const pod = byWebId.get(webId);
    if (pod?.isUnfinished === true) {
      unfinished.push({ calls: ofCaller, pod });
    } else {
      const recipients = pod !== undefined && isReadable(pod) ? [pod] : [];
      const isRecorded = pod !== undefined || isKnown(webId);
      groups.push({ webId, calls: ofCaller, recipients, isRecorded });
    }
  }
  return { groups, unfinished };
}
