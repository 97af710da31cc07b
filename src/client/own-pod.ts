import type { UnlockedPod } from '../pod/unlock-pod.js';
import type { SolidClient, WebIdHolder } from '../solid/solid-client.js';

/** The user's own Pod, logged in and unlocked. */
export interface OwnPod {
  client: SolidClient & WebIdHolder;
  pod: UnlockedPod;
  /** Forgets the keys and ends the connection. */
  close(): Promise<void>;
}
