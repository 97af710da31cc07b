import { AnalyserError, messageOf, ServerError } from '../../base/errors.js';
import { compare } from '../../base/lists.js';
import { countOf } from '../../base/sentences.js';
import { WarningList } from '../../base/warning-list.js';
import type { Config } from '../../config/schema.js';
import { type DigestOf, digestsOf } from '../../memory/digests.js';
import { keyOwners } from '../../memory/key-owners.js';
import type { Memory } from '../../memory/memory.js';
import type { FoundMemory } from '../../memory/stored-memory.js';
import { canonicalRoot } from '../../pod/addresses.js';
import { type Inbox, readInbox } from '../../pod/inbox/read-inbox.js';
import type { Connection } from '../connection.js';
import type { PodToRead, ShareToRead } from '../read/read-task.js';
import { classifyShare, isData, type ShareRules, shareRules } from './classify-share.js';

/** The shares to read, from the inbox and the memory. */
export interface GatheredShares {
  /** Pods and shares by address, so that the order never varies. */
  pods: PodToRead[];
  /** Why the inbox could not be read; its entries are unknown then. Null when it was read. */
  unreadInbox: string | null;
  /** Whether a file that a shared folder lists is data; its address is canonical. */
  wants: (url: string) => boolean;
  /** Addresses that are shared but are not data for the analysis. */
  notWanted: readonly string[];
  warnings: readonly string[];
}

/** Steps 2 and 3: reads the inbox beside the memory, keeps shares of data and groups them by owner. */
export async function gatherShares(
  connection: Connection,
  config: Config,
  reading: Promise<FoundMemory>,
  signal: AbortSignal,
): Promise<GatheredShares> {
  const { client, pod, opener, inbox: cache } = connection;
  const rules = shareRules(config, pod.root);
  const wanted = (url: string) => isData(url, rules);
  const asking = { wanted, objectionTo: misspelledIn(rules), cache, signal };
  const [memory, asked] = await Promise.allSettled([
    reading,
    readInbox(client, pod, opener, asking),
  ]);
  signal.throwIfAborted();
  const found = valueOf(memory);
  const isKnown = [...found.memory.pods.values()].some(({ shares }) => shares.size > 0);
  // Anybody can spoil the inbox, so a spoiled inbox never ends an analysis. A server without an answer does, unless
  // shares are remembered.
  const canGoOn = asked.status === 'rejected' && (isKnown || isSpoiled(asked.reason));
  const inbox = canGoOn ? unreadInbox(asked.reason) : valueOf(asked);
  return combine(inbox, found.memory, {
    rules,
    digestOf: digestsOf(found),
    keepsRemoved: config.data.keep_removed_shares,
  });
}

function valueOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

/** Whether the inbox names something in this person's Pod that is not analysed. */
export function namesOthersOf(
  { notWanted }: Pick<GatheredShares, 'notWanted'>,
  webId: string,
): boolean {
  const root = canonicalRoot(webId);
  return root !== null && notWanted.some((url) => url.startsWith(root));
}

/** Refuses addresses that spell the root of their Pod in another form: one Pod must not pass for two. */
export function misspelledIn(rules: ShareRules) {
  return (url: string, spelling: string): string | null => {
    const share = classifyShare(url, rules);
    if (share.kind !== 'data' || spelling.startsWith(share.owner.root)) return null;
    return `names the Pod ${share.owner.root} in another form`;
  };
}

export interface GatheredInbox extends Pick<Inbox, 'shares' | 'notWanted' | 'warnings'> {
  /** Why the inbox could not be read; absent when it was read. */
  unread?: string;
}

/**
 * Stands for an inbox that could not be read. Anybody can spoil the inbox, so remembered shares are read all the
 * same. Throws an error that concerns more than the inbox.
 */
export function unreadInbox(error: unknown): GatheredInbox & { shares: [] } {
  const concernsInbox = error instanceof ServerError ? error.failure !== 'login' : isSpoiled(error);
  if (!concernsInbox) throw error;
  return { shares: [], notWanted: [], warnings: [], unread: messageOf(error) };
}

function isSpoiled(error: unknown): boolean {
  return error instanceof AnalyserError && error.kind === 'malformed';
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
  const pods = new Map<string, PodToRead & { shares: ShareToRead[] }>();
  const add = (url: string, keys: readonly Buffer[], mayHaveEntry: boolean) => {
    const place = classifyShare(url, rules);
    if (place.kind !== 'data') return;
    const { owner } = place;
    const remembered = memory.pods.get(owner.root) ?? null;
    const known = remembered?.shares.get(url) ?? null;
    const digest = digestOf('root', owner.root);
    const isForeign = (key: Buffer) => owners.isForeign(digestOf('key', key), digest);
    const inOrder = known?.key
      ? [known.key, ...keys.filter((key) => !isSame(key, known.key))]
      : keys;
    const pod = pods.get(owner.root) ?? { owner, shares: [], waited: remembered?.waited ?? 0 };
    pods.set(owner.root, pod);
    pod.shares.push({
      url,
      keys: inOrder.filter((key) => !isForeign(key)),
      foreignKeys: inOrder.filter(isForeign),
      mayHaveEntry,
      isRemembered: known !== null,
    });
  };
  const announced = new Set<string>();
  for (const { url, keys } of inbox.shares) {
    announced.add(url);
    add(url, keys, true);
  }
  let removed = 0;
  for (const { shares } of memory.pods.values()) {
    for (const url of shares.keys()) {
      if (announced.has(url)) continue;
      // An unread inbox does not show that an entry is gone.
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
