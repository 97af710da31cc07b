import { compare, getOrAdd } from '../../base/lists.js';
import { WarningList } from '../../base/warning-list.js';
import type { KeyedDigest, Memory } from '../../memory/memory.js';
import { canonicalRoot, isFolder, parentFolder } from '../../pod/addresses.js';
import type { Inbox } from '../../pod/inbox.js';
import { notRead } from '../../pod/outcome.js';
import type { PodIdOf } from '../../pod/owner.js';
import { othersWith } from './claims.js';
import { classifyShare, isData, type ShareRules } from './classify-share.js';
import { Folder, type Pod, Row } from './row.js';

const otherName = notRead(
  'other name',
  'only files named ….enc.ttl are read, so that no export counts beside its readings',
);

/** What is to be read, from the inbox and the memory. */
export interface Gathered {
  /** Sorted by address: the order never varies. */
  pods: Pod[];
  /** Why the inbox could not be read; its entries are unknown then. Null when it was read. */
  whyInboxUnread: string | null;
  /**
   * Tells whether a file that stands in the listing of a shared folder is data. The address has to be canonical.
   */
  isData: (url: string) => boolean;
  /** Addresses that are shared and not in view: no data for this analysis. */
  notInView: readonly string[];
  /** Roots of Pods, or what they begin with, that the operator leaves out. */
  excluded: readonly string[];
  podIdOf: PodIdOf;
  warnings: readonly string[];
}

/** Whether the inbox names something in this person's Pod that is not analysed. */
export function namesUnanalysed(
  { notInView }: Pick<Gathered, 'notInView'>,
  webId: string,
): boolean {
  const root = canonicalRoot(webId);
  return root !== null && notInView.some((url) => url.startsWith(root));
}

/** Whether the operator leaves this person out: then nothing may name them again. */
export function leavesOut({ excluded }: Pick<Gathered, 'excluded'>, webId: string): boolean {
  const root = canonicalRoot(webId);
  return root !== null && excluded.some((scope) => root.startsWith(scope));
}

export interface InboxOrReason extends Pick<Inbox, 'shares' | 'notInView' | 'warnings'> {
  /** Why the inbox could not be read; absent when it was read. */
  unread?: string;
}

/**
 * Step 3: keeps the shares of data, adds the remembered ones, and groups them by owner. What the configuration leaves
 * out is not asked for, and stays remembered as it is.
 */
export function gatherShares(
  { shares, notInView, warnings: ofInbox, unread }: InboxOrReason,
  memory: Memory,
  rules: ShareRules,
  keyedDigest: KeyedDigest,
): Gathered {
  const whyInboxUnread = unread ?? null;
  const toRead = new Map<string, { keys: readonly Buffer[]; mayHaveEntry: boolean }>(
    shares.map(({ url, keys }) => [url, { keys, mayHaveEntry: true }]),
  );
  // An unread inbox does not show that an entry is gone.
  const remembered = { keys: [], mayHaveEntry: whyInboxUnread !== null };
  for (const pod of memory.pods.values()) {
    for (const url of [...pod.folders.keys(), ...pod.shares.keys()]) {
      if (!toRead.has(url)) toRead.set(url, remembered);
    }
  }
  const pods = new Map<string, Pod>();
  // In this order each folder comes before its files.
  for (const [url, { keys, mayHaveEntry }] of [...toRead].sort(([a], [b]) => compare(a, b))) {
    const share = classifyShare(url, rules);
    if (!('owner' in share)) continue;
    const { root } = share.owner;
    const pod = getOrAdd(pods, root, () => ({
      owner: share.owner,
      rootDigest: keyedDigest('root', root),
      known: memory.pods.get(root) ?? null,
      mayShareMore: whyInboxUnread !== null,
      rows: new Map<string, Row>(),
      folders: new Map<string, Folder>(),
      unnamed: [],
    }));
    const othersOf = (key: Buffer) =>
      othersWith(memory.claims, keyedDigest('key', key), pod.rootDigest);
    if (isFolder(url)) {
      const key = pod.known?.folders.get(url);
      const known = key === undefined ? null : { key };
      const given = keysToTry(keys, key ?? null, othersOf);
      pod.folders.set(url, new Folder({ url, known, mayHaveEntry, ...given }));
      continue;
    }
    const known = pod.known?.shares.get(url) ?? null;
    const folder = pod.folders.get(parentFolder(url)) ?? null;
    const given = keysToTry(keys, known?.ownKey ?? null, othersOf);
    const row = new Row({ url, folder, known, mayHaveEntry, ...given });
    if (share.kind === 'other name') row.outcome = otherName;
    pod.rows.set(url, row);
  }
  const warnings = new WarningList();
  if (whyInboxUnread !== null) {
    warnings.add(
      'inbox',
      `The inbox could not be read. Shares that were read before still count; new shares do not yet: ${whyInboxUnread} Look at the document and at its description (.meta), which anybody can write to.`,
    );
  }
  for (const url of notInView) warnOfRefused(url, rules, warnings);
  return {
    pods: [...pods.values()],
    whyInboxUnread,
    isData: (url) => isData(url, rules),
    notInView,
    excluded: rules.excluded,
    podIdOf: rules.podIdOf,
    warnings: [...ofInbox, ...warnings.list()],
  };
}

/** The remembered key first, and none of other Pods. */
function keysToTry(
  given: readonly Buffer[],
  remembered: Buffer | null,
  othersOf: (key: Buffer) => readonly string[],
): { keys: readonly Buffer[]; otherHolders?: ReadonlySet<string> } {
  const keys =
    remembered === null ? given : [remembered, ...given.filter((key) => !key.equals(remembered))];
  const others = keys.map(othersOf);
  // Nearly always none is, and a list that was filtered takes three times the room of the list itself.
  if (others.every(({ length }) => length === 0)) return { keys };
  return {
    keys: keys.filter((_, index) => others[index]?.length === 0),
    otherHolders: new Set(others.flat()),
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
