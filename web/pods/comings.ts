/** Of /api/pods: since when Pods are there, and which are no more. */
export interface PodsNews {
  pods: { pod_id: string; first_seen: string | null; last_change: string | null }[];
  left: { pod_id: string; left_at: string }[];
  since: string | null;
}

export interface Coming {
  at: string;
  podId: string;
  what: 'joined' | 'left';
}

/** Who joined and who left, as far as stored analyses tell, the newest first. */
export function comingsOf({ pods, left }: Pick<PodsNews, 'pods' | 'left'>): Coming[] {
  const joined = pods.flatMap(({ pod_id: podId, first_seen: at }): Coming[] =>
    at === null ? [] : [{ at, podId, what: 'joined' }],
  );
  const gone = left.map(({ pod_id: podId, left_at: at }): Coming => ({ at, podId, what: 'left' }));
  return [...joined, ...gone].sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
}
