import type { UnlockedPod } from '../pod/unlock-pod.js';
import type { SolidClient } from '../solid/solid-client.js';

/** What a step needs to read and write in Pods. */
export interface PodAccess {
  readonly client: SolidClient;
  /** The Analyser's own. */
  readonly pod: UnlockedPod;
}
