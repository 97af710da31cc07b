import type { PodEntry } from '../../src/documents/results-document.js';
import { countOf, formatCount } from '../format/format-number.js';

type Counted = Pick<PodEntry, 'pod_id' | 'included_in_cohort'>;

/** `3 Pods, 1 new`: how the Pods that count differ from those of before; null where they do not. */
export function compareCohorts(before: readonly Counted[], now: readonly Counted[]): string | null {
  const [then, today] = [idsThatCount(before), idsThatCount(now)];
  const added = [...today].filter((id) => !then.has(id)).length;
  const gone = [...then].filter((id) => !today.has(id)).length;
  if (added + gone === 0) return null;
  return [
    countOf(today.size, 'Pod'),
    ...(added === 0 ? [] : [`${formatCount(added)} new`]),
    ...(gone === 0 ? [] : [`${formatCount(gone)} gone`]),
  ].join(', ');
}

function idsThatCount(pods: readonly Counted[]): Set<string> {
  return new Set(pods.filter((pod) => pod.included_in_cohort).map((pod) => pod.pod_id));
}
