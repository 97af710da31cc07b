import { WarningList } from '../../base/warning-list.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { stoppedBy } from '../../solid/stopped-by.js';
import type { UnlockedPod } from '../unlock-pod.js';
import type { EntryOpener } from './entry-opener.js';
import {
  type AddressWithKeys,
  distinctKeys,
  type OpenedShare,
  openShares,
  type WantedShare,
} from './open-shares.js';
import type { SealedShares } from './sealed-shares.js';
import { fetchShares } from './shared-keys-document.js';

export interface InboxEntry {
  /** Canonical; a folder's address ends in a slash. */
  url: string;
  /** Never empty. Several when somebody added to the entry; the owner's come first. */
  keys: Buffer[];
  /** How entries spell the address, in the order of the keys; empty when all use the canonical one. */
  spellings: readonly AddressWithKeys[];
  /** Lower case; empty unless asked for. */
  modes: string[];
}

export interface Inbox {
  entries: InboxEntry[];
  /** Canonical addresses of shares that were not wanted; their keys stay sealed. */
  notWanted: string[];
  warnings: string[];
}

/** The inbox as it was last read, with keys of other people in it. */
export interface InboxMemory {
  /** Used when the server sends the same bytes again; the server is asked every time. */
  last: { fingerprint: string; inbox: Inbox } | null;
}

export interface InboxQuestion {
  wanted: (url: string) => boolean;
  withModes?: boolean;
  /** A cache that is valid for one Pod and one `wanted` only. */
  memory?: InboxMemory;
  signal?: AbortSignal | undefined;
}

/**
 * Reads what is shared with a Pod. Everybody can add anything to its inbox, so nothing added may
 * take a genuine entry away. An entry is genuine when its id is the one that the app computes from
 * the address in it, whatever else it holds.
 */
export async function readInbox(
  client: SolidClient,
  pod: UnlockedPod,
  opener: EntryOpener,
  { wanted, withModes = false, memory = { last: null }, signal }: InboxQuestion,
): Promise<Inbox> {
  const url = pod.documents.sharedKeys;
  const { last } = memory;
  const known = last?.fingerprint ?? null;
  const { fingerprint, sealed } =
    (await fetchShares(stoppedBy(client, signal), url, known)) ?? noDocument;
  if (last !== null && sealed === null) return last.inbox;
  const reader = { webId: pod.webId, opener, wanted, withModes, signal };
  const { shares, ...damage } = sealed ?? nothing;
  const opened = await openShares(shares, reader);
  opener.forgetUnasked();
  const inbox = merge(opened, wanted, warningsOf(damage, url));
  memory.last = { fingerprint, inbox };
  return inbox;
}

const nothing: SealedShares = { shares: [], useless: [], damage: null };
const noDocument = { fingerprint: '', sealed: nothing };

function warningsOf({ useless, damage }: Omit<SealedShares, 'shares'>, url: string): InboxWarnings {
  const warnings = new InboxWarnings(url);
  for (const id of useless) warnings.add(id, 'holds nothing that could be opened');
  if (damage !== null) warnings.addDamage(damage);
  return warnings;
}

/** Merges shares of one resource; keys of genuine shares are tried first. */
function merge(
  opened: readonly OpenedShare[],
  wanted: (url: string) => boolean,
  warnings: InboxWarnings,
): Inbox {
  const genuine: WantedShare[] = [];
  const others: WantedShare[] = [];
  const notWanted = new Set<string>();
  for (const share of opened) {
    if ('problem' in share) warnings.add(share.id, share.problem);
    else if (share.keys === null || !wanted(share.url)) notWanted.add(share.url);
    else (share.genuine ? genuine : others).push(share);
  }
  const byUrl = new Map<string, WantedShare[]>();
  for (const share of [...genuine, ...others]) {
    const before = byUrl.get(share.url);
    if (before === undefined) byUrl.set(share.url, [share]);
    else before.push(share);
  }
  return {
    entries: Array.from(byUrl, ([url, shares]) => toEntry(url, shares)),
    notWanted: [...notWanted],
    warnings: warnings.list(),
  };
}

function toEntry(url: string, shares: readonly WantedShare[]): InboxEntry {
  const isPlain = shares.every(({ spelling }) => spelling === url);
  return {
    url,
    keys: distinctKeys(shares.flatMap(({ keys }) => keys)),
    spellings: isPlain ? [] : shares.map(({ spelling, keys }) => ({ address: spelling, keys })),
    modes: [...new Set(shares.flatMap(({ modes }) => modes))].sort(),
  };
}

class InboxWarnings {
  readonly #warnings = new WarningList();

  constructor(readonly url: string) {}

  add(id: string, reason: string): void {
    this.#warnings.add(`an entry ${reason}`, `${this.url}: the entry ${id} ${reason}.`);
  }

  addDamage(damage: string): void {
    const remedy = 'The entries that could be made out were used; restore the document.';
    this.#warnings.add('damage', `${damage} ${remedy}`);
  }

  list(): string[] {
    return this.#warnings.list();
  }
}
