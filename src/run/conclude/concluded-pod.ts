import type { PodReading } from '../read/pod-reading.js';
import type { Standing } from '../table/settle.js';

/** A Pod that shares something, and how it counts. */
export interface ConcludedPod extends PodReading {
  standing: Standing;
}

/** Whether the run documents list the Pod: a file of it was read, or it is carried. */
export function isReported({ filesRead, standing }: ConcludedPod): boolean {
  return filesRead > 0 || standing.kind === 'carried';
}
