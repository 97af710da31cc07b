import type { PodEntry } from '../../src/documents/results-document.js';
import { splitPodId } from './pod-name.js';

interface PodLabelProps {
  pod: Pick<PodEntry, 'pod_id' | 'pod_root'>;
  /** The host that was named already, for all. */
  knownHost?: string;
}

/** The pod_id as it is, with the part that people know it by set apart. */
export function PodLabel({ pod, knownHost = '' }: PodLabelProps) {
  const { host, name } = splitPodId(pod);
  return (
    <span class="pod-label">
      {host !== knownHost && <span class="host">{host}</span>}
      <b>{name}</b>
    </span>
  );
}
