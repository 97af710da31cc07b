import type { ShareLedger } from '../ledger/share-ledger.js';
import type { EntryOpener } from '../pod/inbox/entry-opener.js';
import type { InboxMemory } from '../pod/inbox/read-inbox.js';
import type { UnlockedPod } from '../pod/unlock-pod.js';
import type { HttpSolidClient, SolidClient } from '../solid/solid-client.js';

/** Step 1: logged in, and the Analyser Pod unlocked. Made once and used by every run. */
export interface Connection {
  client: SolidClient;
  pod: UnlockedPod;
  opener: EntryOpener;
  /** What the last run found; the rules of what is wanted are those of the configuration. */
  inbox: InboxMemory;
  /** What has been read goes on counting when its entry is gone. */
  ledger: ShareLedger;
}

/** One that this process has made, and that it can hold back. */
export interface OwnConnection extends Connection {
  client: HttpSolidClient;
}
