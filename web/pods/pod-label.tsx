import type { PodEntry } from '../../src/documents/results-document.js';
import { splitPodId } from './pod-name.js';

/** The pod_id as it is, with the part that people know it by set apart. */
export function PodLabel({ pod }: { pod: Pick<PodEntry, 'pod_id' | 'pod_root'> }) {
  const { host, name } = splitPodId(pod);
  return (
    <span class="pod-label">
      <span class="host">{host}</span>
      <b>{name}</b>
    </span>
  );
}
