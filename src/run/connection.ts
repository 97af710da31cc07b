import type { StoredMemory } from '../memory/stored-memory.js';
import type { EntryOpener } from '../pod/inbox/entry-opener.js';
import type { InboxMemory } from '../pod/inbox/read-inbox.js';
import type { UnlockedPod } from '../pod/unlock-pod.js';
import type { SolidClient } from '../solid/solid-client.js';

/** Step 1: logged in, and the Analyser Pod unlocked. Made once and used for many analyses. */
export interface Connection {
  client: SolidClient;
  pod: UnlockedPod;
  opener: EntryOpener;
  /** The inbox as the last analysis found it, cut down by the configured rules. */
  inbox: InboxMemory;
  /** What outlasts an analysis. */
  memory: StoredMemory;
  /**
   * Reads the Analyser's own keys again, as its owner's app may have sealed them anew, and unlocks the
   * Pod from them if so. It is also the proof that the storage server accepts our login.
   */
  renew(signal: AbortSignal): Promise<void>;
}
