import { hash } from 'node:crypto';
import { groupBy } from '../../base/lists.js';
import { WarningList } from '../../base/warning-list.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { stoppedBy } from '../../solid/stopped-by.js';
import { decodeText } from '../crypto/content-cipher.js';
import { readResourceKey } from '../crypto/resource-key.js';
import {
  fetchSharedKeys,
  parseSealedEntries,
  type SealedEntry,
  shareId,
} from '../formats/shared-keys.js';
import { canonicalResource } from '../resource-address.js';
import type { UnlockedPod } from '../unlock-pod.js';
import type { EntryOpener } from './entry-opener.js';

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
  const inboxUrl = pod.documents.sharedKeys;
  const fetched = await fetchEntries(stoppedBy(client, signal), inboxUrl, cache);
  if ('inbox' in fetched) return fetched.inbox;
  const { fingerprint, entries, useless } = fetched;
  const warnings = new WarningList();
  const warn = (id: string, reason: string) =>
    warnings.add(`an entry ${reason}`, `${inboxUrl}: the entry ${id} ${reason}.`);
  for (const id of useless) warn(id, 'holds nothing that could be opened');
  const notWanted = new Set<string>();
  const [genuine, others]: [InboxShare[], InboxShare[]] = [[], []];
  for (const entry of entries) {
    const { id, sealedPaths, sealedKeys, sealedAccessLists } = entry;
    const address = addressOf(entry, textsOf(await opener.open(sealedPaths, signal)), pod.webId);
    if ('problem' in address) {
      warn(id, address.problem);
      continue;
    }
    const { url, spelling, isGenuine } = address;
    const objection = objectionTo(url, spelling);
    if (objection !== null) {
      warn(id, objection);
      continue;
    }
    if (!wanted(url)) {
      notWanted.add(url);
      continue;
    }
    const opened = await opener.open(sealedKeys, signal);
    const keys = opened.flatMap((bytes) => readResourceKey(bytes) ?? []);
    if (keys.length === 0) {
      warn(id, 'holds no key that opens');
      continue;
    }
    const modes = withModes ? modesIn(textsOf(await opener.open(sealedAccessLists, signal))) : [];
    (isGenuine ? genuine : others).push({ url, keys, modes });
  }
  opener.forgetUnasked();
  const byUrl = groupBy([...genuine, ...others], ({ url }) => url);
  const inbox = {
    shares: Array.from(byUrl, ([url, parts]) => ({
      url,
      keys: distinctKeys(parts.flatMap(({ keys }) => keys)),
      modes: [...new Set(parts.flatMap(({ modes }) => modes))].sort(),
    })),
    notWanted: [...notWanted],
    warnings: warnings.list(),
  };
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

/** The address that an entry names, canonical, and as it is spelled there; or why it names none. */
function addressOf(
  { id, sealedPaths, sealedKeys }: SealedEntry,
  opened: readonly string[],
  webId: string,
): { url: string; spelling: string; isGenuine: boolean } | { problem: string } {
  const own = opened.find((text) => shareId(text, webId) === id);
  const isGenuine = own !== undefined;
  if (!isGenuine && (sealedPaths.length !== 1 || sealedKeys.length !== 1)) {
    return { problem: 'does not hold exactly one address and one key' };
  }
  const spelling = own ?? opened[0];
  if (spelling === undefined) return { problem: 'does not open' };
  const url = canonicalResource(spelling);
  return url === null
    ? { problem: 'names no address of a resource' }
    : { url, spelling, isGenuine };
}

function textsOf(opened: readonly (Buffer | null)[]): string[] {
  return opened.flatMap((bytes) => (bytes && decodeText(bytes)) ?? []);
}

export function distinctKeys(keys: readonly Buffer[]): Buffer[] {
  return [...new Map(keys.map((key) => [key.toString('latin1'), key])).values()];
}

function modesIn(accessLists: readonly string[]): string[] {
  return accessLists
    .flatMap((text) => text.split(','))
    .map((mode) => mode.trim().toLowerCase())
    .filter((mode) => /^[a-z]{1,20}$/.test(mode));
}
