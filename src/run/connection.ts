import type { ShareLedger } from '../ledger/share-ledger.js';
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
  /** Keeps shares that were read, so that they count on when their entries are gone. */
  ledger: ShareLedger;
}
