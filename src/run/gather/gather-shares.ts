import { AnalyserError, messageOf, ServerError } from '../../base/errors.js';
import { compare } from '../../base/lists.js';
import { countOf } from '../../base/sentences.js';
import { WarningList } from '../../base/warning-list.js';
import type { Config } from '../../config/schema.js';
import { type DigestOf, digestsOf } from '../../memory/digests.js';
import { keyOwners } from '../../memory/key-owners.js';
import type { Memory } from '../../memory/memory.js';
import type { FoundMemory } from '../../memory/stored-memory.js';
import type { AddressWithKeys } from '../../pod/inbox/open-entries.js';
import { type Inbox, readInbox } from '../../pod/inbox/read-inbox.js';
import type { Connection } from '../connection.js';
import type { PodToRead, ShareToRead } from '../read/read-task.js';
import { classifyShare, isData, type ShareRules, shareRules } from './classify-share.js';

/** What is to be read, of the inbox and of the memory. */
export interface GatheredShares {
  /** Pods and shares by address, so that the order never varies. */
  pods: PodToRead[];
  /** How entries spell addresses, with the keys that they brought; only where one is not canonical. */
  spellings: ReadonlyMap<string, readonly AddressWithKeys[]>;
  /** Why the inbox could not be read, so that nothing is known of its entries; null when it was. */
  unreadInbox: string | null;
  /** Whether a file that a shared folder lists is data; its address is canonical. */
  wants: (url: string) => boolean;
  /** Addresses that are shared but are not data for the analysis. */
  notWanted: readonly string[];
  warnings: readonly string[];
}

/** Steps 2 and 3: reads the inbox, keeps what is data and groups it by owner. */
export async function gatherShares(
  connection: Connection,
  config: Config,
  found: FoundMemory,
  signal: AbortSignal,
): Promise<GatheredShares> {
  const { client, pod, opener, inbox: cache } = connection;
  const rules = shareRules(config, pod.root);
  const wanted = (url: string) => isData(url, rules);
  const { memory } = found;
  const isKnown = [...memory.pods.values()].some(({ shares }) => shares.size > 0);
  const asking = { wanted, cache, signal };
  const inbox = await readInbox(client, pod, opener, asking).catch((error: unknown) => {
    signal.throwIfAborted();
    if (!isKnown) throw error;
    return unreadInbox(error);
  });
  return combine(inbox, memory, {
    rules,
    digestOf: digestsOf(found),
    keepsRemoved: config.data.keep_removed_shares,
  });
}

export interface GatheredInbox extends Pick<Inbox, 'shares' | 'notWanted' | 'warnings'> {
  /** Why it could not be read; absent when it was. */
  unread?: string;
}

/**
 * Stands for an inbox that could not be read: anybody can spoil it, which must keep nothing from being
 * read that was read before. Throws what concerns more than the inbox.
 */
export function unreadInbox(error: unknown): GatheredInbox & { shares: [] } {
  const concernsInbox =
    error instanceof ServerError
      ? error.failure !== 'login'
      : error instanceof AnalyserError && error.kind === 'malformed';
  if (!concernsInbox) throw error;
  return { shares: [], notWanted: [], warnings: [], unread: messageOf(error) };
}

interface CombineOptions {
  rules: ShareRules;
  digestOf: DigestOf;
  /** Whether a share without an entry is read. */
  keepsRemoved: boolean;
}

/** The entries of an inbox together with the shares that are remembered. */
export function combine(
  inbox: GatheredInbox,
  memory: Memory,
  { rules, digestOf, keepsRemoved }: CombineOptions,
): GatheredShares {
  const { unread = null } = inbox;
  const owners = keyOwners(memory);
  const warnings = new WarningList();
  const spellings = new Map<string, readonly AddressWithKeys[]>();
  const pods = new Map<string, PodToRead & { shares: ShareToRead[] }>();
  const add = (url: string, keys: readonly Buffer[], mayHaveEntry: boolean) => {
    const place = classifyShare(url, rules);
    if (place.kind !== 'data') return;
    const { owner } = place;
    const known = memory.pods.get(owner.root)?.shares.get(url) ?? null;
    const isForeign = (key: Buffer) => owners.isForeign(digestOf('key', key), owner.root);
    const inOrder = known?.key
      ? [known.key, ...keys.filter((key) => !isSame(key, known.key))]
      : keys;
    const pod = pods.get(owner.root) ?? { owner, shares: [] };
    pods.set(owner.root, pod);
    pod.shares.push({
      url,
      keys: inOrder.filter((key) => !isForeign(key)),
      foreignKeys: inOrder.filter(isForeign),
      mayHaveEntry,
      isRemembered: known !== null,
      wasNotAsked: known?.wasNotAsked ?? false,
    });
  };
  const announced = new Set<string>();
  for (const { url, keys, spellings: written } of inbox.shares) {
    announced.add(url);
    if (written.length > 0) spellings.set(url, written);
    add(url, keys, true);
  }
  let removed = 0;
  for (const { shares } of memory.pods.values()) {
    for (const url of shares.keys()) {
      if (announced.has(url)) continue;
      // Of entries that could not be read, nothing is concluded.
      const mayHaveEntry = unread !== null;
      if (keepsRemoved || mayHaveEntry) add(url, [], mayHaveEntry);
      else if (classifyShare(url, rules).kind === 'data') removed += 1;
    }
  }
  if (removed > 0) {
    warnings.add(
      'removed',
      `Left out ${countOf(removed, 'share')} without an entry in the inbox, because data.keep_removed_shares is false. Anybody can remove entries.`,
    );
  }
  if (unread !== null) {
    warnings.add(
      'inbox',
      `The inbox could not be read, so what was read before counts and new shares do not: ${unread} Look at the document and at its description (.meta), which anybody can write to.`,
    );
  }
  for (const url of inbox.notWanted) warnOfRefused(url, rules, warnings);
  const sorted = [...pods.values()].sort((one, other) => compare(one.owner.root, other.owner.root));
  for (const pod of sorted) pod.shares.sort((one, other) => compare(one.url, other.url));
  return {
    pods: sorted,
    spellings,
    unreadInbox: unread,
    wants: (url) => isData(url, rules),
    notWanted: inbox.notWanted,
    warnings: [...inbox.warnings, ...warnings.list()],
  };
}

function warnOfRefused(url: string, rules: ShareRules, warnings: WarningList): void {
  const share = classifyShare(url, rules);
  if (share.kind !== 'refused') return;
  warnings.add(
    `shares left out because ${share.reason}`,
    `${url}: left out, because ${share.reason}`,
  );
}

function isSame(one: Buffer, other: Buffer | null): boolean {
  return other !== null && one.equals(other);
}
