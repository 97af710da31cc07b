import { hash } from 'node:crypto';
import { groupBy } from '../../base/lists.js';
import { WarningList } from '../../base/warning-list.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { stoppedBy } from '../../solid/stopped-by.js';
import { fetchSharedKeys, parseSealedEntries } from '../documents/shared-keys.js';
import type { UnlockedPod } from '../unlock-pod.js';
import type { EntryOpener } from './entry-opener.js';
import { distinctKeys, type OpenedEntry, openEntries, type WantedEntry } from './open-entries.js';

/** One share: all entries about one resource together. */
export interface InboxShare {
  /** Canonical; a folder's address ends in a slash. */
  url: string;
  /** At least one key; several when somebody added keys. The keys of genuine entries come first. */
  keys: Buffer[];
  /** Lower case; empty unless asked for. */
  modes: string[];
}

export interface Inbox {
  shares: InboxShare[];
  /** Canonical addresses of shares that were not wanted; their keys stay sealed. */
  notWanted: string[];
  warnings: string[];
}

/** The inbox as it was last read, with keys of other people in it. */
export interface InboxCache {
  /** Used when the server, which is asked every time, sends the same bytes again. */
  last: { fingerprint: string; inbox: Inbox } | null;
}

export interface InboxQuestion {
  wanted: (url: string) => boolean;
  /** Why an entry with this spelling of the address is left out; by default no entry is left out. */
  objectionTo?: (url: string, spelling: string) => string | null;
  withModes?: boolean;
  /** Valid for one Pod and one `wanted` only. */
  cache?: InboxCache;
  signal?: AbortSignal | undefined;
}

/**
 * Reads the shares in the inbox of a Pod. Everybody can add to the inbox, so an added entry must not take a genuine
 * entry away. An entry is genuine when its id is the id that the app computes from its address.
 */
export async function readInbox(
  client: SolidClient,
  pod: UnlockedPod,
  opener: EntryOpener,
  {
    wanted,
    objectionTo = () => null,
    withModes = false,
    cache = { last: null },
    signal,
  }: InboxQuestion,
): Promise<Inbox> {
  const url = pod.documents.sharedKeys;
  const fetched = await fetchEntries(stoppedBy(client, signal), url, cache);
  if ('inbox' in fetched) return fetched.inbox;
  const { fingerprint, entries, useless } = fetched;
  const warnings = new WarningList();
  const warn = (id: string, reason: string) =>
    warnings.add(`an entry ${reason}`, `${url}: the entry ${id} ${reason}.`);
  for (const id of useless) warn(id, 'holds nothing that could be opened');
  const opened = await openEntries(entries, {
    webId: pod.webId,
    opener,
    wanted,
    objectionTo,
    withModes,
    signal,
  });
  opener.forgetUnasked();
  const inbox = { ...merge(opened, wanted, warn), warnings: warnings.list() };
  cache.last = { fingerprint, inbox };
  return inbox;
}

/** Only this function holds the whole document, so it is gone from memory when the entries are opened. */
async function fetchEntries(client: SolidClient, url: string, { last }: InboxCache) {
  const body = (await fetchSharedKeys(client, url)) ?? Buffer.alloc(0);
  const fingerprint = hash('sha256', body, 'base64');
  if (last?.fingerprint === fingerprint) return last;
  return { fingerprint, ...(await parseSealedEntries(body, url)) };
}

/** Merges the entries about one resource; keys of genuine entries are tried first. */
function merge(
  opened: readonly OpenedEntry[],
  wanted: (url: string) => boolean,
  warn: (id: string, reason: string) => void,
): Omit<Inbox, 'warnings'> {
  const genuine: WantedEntry[] = [];
  const others: WantedEntry[] = [];
  const notWanted = new Set<string>();
  for (const entry of opened) {
    if ('problem' in entry) warn(entry.id, entry.problem);
    else if (entry.keys === null || !wanted(entry.url)) notWanted.add(entry.url);
    else (entry.genuine ? genuine : others).push(entry);
  }
  const byUrl = groupBy([...genuine, ...others], ({ url }) => url);
  return {
    shares: Array.from(byUrl, ([url, entries]) => toShare(url, entries)),
    notWanted: [...notWanted],
  };
}

function toShare(url: string, entries: readonly WantedEntry[]): InboxShare {
  return {
    url,
    keys: distinctKeys(entries.flatMap(({ keys }) => keys)),
    modes: [...new Set(entries.flatMap(({ modes }) => modes))].sort(),
  };
}
