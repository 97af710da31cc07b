import { compare } from '../../base/lists.js';
import { countOf } from '../../base/sentences.js';
import { WarningList } from '../../base/warning-list.js';
import type { DigestOf } from '../../memory/digests.js';
import { keyOwners } from '../../memory/key-owners.js';
import type { Memory } from '../../memory/memory.js';
import { canonicalRoot } from '../../pod/addresses.js';
import type { Inbox } from '../../pod/inbox/read-inbox.js';
import type { PodIdOf } from '../../pod/pod-id.js';
import type { PodToRead, ShareToRead } from '../read/read-task.js';
import { classifyShare, isData, type ShareRules } from './classify-share.js';

/** The shares to read, from the inbox and the memory. */
export interface GatheredShares {
  /** Pods, and the shares of each, sorted by address: the order never varies. */
  pods: PodToRead[];
  /** Why the inbox could not be read; its entries are unknown then. Null when it was read. */
  unreadInbox: string | null;
  /**
   * Tells whether a file that stands in the listing of a shared folder is data. The address has to be canonical.
   */
  wants: (url: string) => boolean;
  /** Addresses that are shared but are not data for the analysis. */
  notWanted: readonly string[];
  /** Remembered shares that the configuration leaves out and that have no entry any more, by the root of their Pod. */
  setAside: ReadonlyMap<string, ReadonlySet<string>>;
  podIdOf: PodIdOf;
  warnings: readonly string[];
}

/** Whether the inbox names something in this person's Pod that is not analysed. */
export function namesOthersOf(
  { notWanted }: Pick<GatheredShares, 'notWanted'>,
  webId: string,
): boolean {
  const root = canonicalRoot(webId);
  return root !== null && notWanted.some((url) => url.startsWith(root));
}

export interface InboxOrReason extends Pick<Inbox, 'shares' | 'notWanted' | 'warnings'> {
  /** Why the inbox could not be read; absent when it was read. */
  unread?: string;
}

/** Step 3: keeps the shares of data, adds the remembered ones, and groups them by owner. */
export function gatherShares(
  inbox: InboxOrReason,
  memory: Memory,
  rules: ShareRules,
  digestOf: DigestOf,
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
    const rememberedKey = known?.key ?? null;
    const inOrder =
      rememberedKey === null
        ? keys
        : [rememberedKey, ...keys.filter((key) => !key.equals(rememberedKey))];
    const pod = pods.get(owner.root) ?? { owner, shares: [], waited: remembered?.waited ?? 0 };
    pods.set(owner.root, pod);
    pod.shares.push({
      url,
      keys: inOrder.filter((key) => !isForeign(key)),
      rememberedKey,
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
  for (const url of inbox.notWanted) announced.add(url);
  const setAside = new Map<string, Set<string>>();
  let removed = 0;
  for (const { root, shares } of memory.pods.values()) {
    const ofPod = new Set<string>();
    for (const url of shares.keys()) {
      if (announced.has(url)) continue;
      const isWanted = isData(url, rules);
      // An unread inbox does not show that an entry is gone.
      if (unread !== null) add(url, [], true);
      else if (isWanted && rules.keepsRemoved) add(url, [], false);
      else {
        ofPod.add(url);
        if (isWanted) removed += 1;
      }
    }
    if (ofPod.size > 0) setAside.set(root, ofPod);
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
      `The inbox could not be read. Shares that were read before still count; new shares do not yet: ${unread} Look at the document and at its description (.meta), which anybody can write to.`,
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
    setAside,
    podIdOf: rules.podIdOf,
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
