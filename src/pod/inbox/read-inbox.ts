import { hash } from 'node:crypto';
import { groupBy } from '../../base/lists.js';
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
import { readSealedShares } from './sealed-shares.js';
import { fetchSharedKeys } from './shared-keys-document.js';

export interface InboxEntry {
  /** Canonical; a folder's address ends in a slash. */
  url: string;
  /** Never empty. Several when somebody added to the entry; those of entries with the name that the app gives come first. */
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
export interface InboxCache {
  /** Used when the server sends the same bytes again, whatever its ETag; it is asked every time. */
  last: { fingerprint: string; inbox: Inbox } | null;
}

export interface InboxQuestion {
  wanted: (url: string) => boolean;
  withModes?: boolean;
  /** Valid for one Pod and one `wanted` only. */
  cache?: InboxCache;
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
  { wanted, withModes = false, cache = { last: null }, signal }: InboxQuestion,
): Promise<Inbox> {
  const url = pod.documents.sharedKeys;
  const fetched = await fetchShares(stoppedBy(client, signal), url, cache);
  if ('inbox' in fetched) return fetched.inbox;
  const { fingerprint, shares, useless, damage } = fetched;
  const warnings = new WarningList();
  const warn = (id: string, reason: string) =>
    warnings.add(`an entry ${reason}`, `${url}: the entry ${id} ${reason}.`);
  for (const id of useless) warn(id, 'holds nothing that could be opened');
  if (damage !== null) {
    const remedy = 'The entries that could be made out were used; restore the document.';
    warnings.add('damage', `${damage} ${remedy}`);
  }
  const opened = await openShares(shares, { webId: pod.webId, opener, wanted, withModes, signal });
  opener.forgetUnasked();
  const inbox = { ...merge(opened, wanted, warn), warnings: warnings.list() };
  cache.last = { fingerprint, inbox };
  return inbox;
}

/** The document, of any length, is in memory only here, and not while its entries are opened. */
async function fetchShares(client: SolidClient, url: string, { last }: InboxCache) {
  const document = (await fetchSharedKeys(client, url)) ?? { body: Buffer.alloc(0), url };
  const fingerprint = hash('sha256', document.body, 'base64');
  if (last?.fingerprint === fingerprint) return last;
  return { fingerprint, ...readSealedShares(document.body.toString(), document.url) };
}

/** Merges shares of one resource; keys of genuine shares are tried first. */
function merge(
  opened: readonly OpenedShare[],
  wanted: (url: string) => boolean,
  warn: (id: string, reason: string) => void,
): Omit<Inbox, 'warnings'> {
  const genuine: WantedShare[] = [];
  const others: WantedShare[] = [];
  const notWanted = new Set<string>();
  for (const share of opened) {
    if ('problem' in share) warn(share.id, share.problem);
    else if (share.keys === null || !wanted(share.url)) notWanted.add(share.url);
    else (share.genuine ? genuine : others).push(share);
  }
  const byUrl = groupBy([...genuine, ...others], ({ url }) => url);
  return {
    entries: Array.from(byUrl, ([url, shares]) => toEntry(url, shares)),
    notWanted: [...notWanted],
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
