import { emptyMemory } from '../../src/memory/memory.js';
import { canonicalRoot, isFolder, parentFolder } from '../../src/pod/addresses.js';
import { type Owner, podIdOfRoot } from '../../src/pod/owner.js';
import { findResourceKeys } from '../../src/pod/resource-keys.js';
import { endless } from '../../src/run/read/deadline.js';
import type { ReadTask } from '../../src/run/read/read-task.js';
import { askedOf, Folder, type Pod, Row } from '../../src/run/table/row.js';
import type { InitialisedPod } from './initialised-pod.js';

export function ownerOf({ pod }: Pick<InitialisedPod, 'pod'>): Owner {
  const root = canonicalRoot(pod.webId) ?? pod.root;
  return { root, webId: pod.webId, podId: podIdOfRoot(root), rootIs: 'certain' };
}

/** A share for the table; `isKnown`: it was read before, with the first of its keys. */
export interface Share extends Partial<Pick<Row, 'keys' | 'otherHolders' | 'mayHaveEntry'>> {
  url: string;
  isKnown?: boolean;
}

/** As an entry of the inbox names it, without a key. */
export function share(url: string, changes: Omit<Share, 'url'> = {}): Share {
  return { url, mayHaveEntry: true, ...changes };
}

/** The table of one Pod before anything was asked. */
export function tableOf(owner: Owner, shares: readonly Share[]): Pod {
  const rows = new Map<string, Row>();
  const folders = new Map<string, Folder>();
  const known = shares.filter(({ isKnown }) => isKnown === true);
  const remembered = known.map(({ url, keys }) => ({
    url,
    ownKey: keys?.[0] ?? null,
    missingOn: [],
  }));
  const byUrl = new Map(remembered.map((one) => [one.url, one]));
  for (const { isKnown: _isKnown, ...given } of shares.toSorted((a, b) =>
    a.url < b.url ? -1 : 1,
  )) {
    const { url } = given;
    const known = byUrl.get(url) ?? null;
    if (isFolder(url)) {
      folders.set(url, new Folder({ ...given, known: known && { key: known.ownKey } }));
    } else {
      const folder = folders.get(parentFolder(url)) ?? null;
      rows.set(url, new Row({ ...given, known, folder }));
    }
  }
  const { root } = owner;
  const ofFiles = remembered.filter(({ url }) => !isFolder(url));
  const ofFolders = remembered.filter(({ url }) => isFolder(url));
  const pod = {
    root,
    shares: new Map(ofFiles.map((one) => [one.url, one])),
    folders: new Map(ofFolders.map(({ url, ownKey }) => [url, ownKey])),
    sums: null,
  };
  const isNew = known.length === 0;
  return {
    owner,
    rootDigest: root,
    known: isNew ? null : pod,
    mayShareMore: false,
    rows,
    folders,
    unnamed: [],
  };
}

/** The shares of a Pod, each with the key that its owner has for it. */
export async function podToRead(
  owner: InitialisedPod,
  urls: readonly string[],
  changes: Omit<Share, 'url'> = {},
): Promise<Pod> {
  const keys = await findResourceKeys(owner.client, owner.pod, urls);
  const keysOf = (url: string) => [keys.get(url) ?? []].flat();
  return tableOf(
    ownerOf(owner),
    urls.map((url) => share(url, { keys: keysOf(url), ...changes })),
  );
}

export function readTask(changes: Partial<ReadTask> = {}): ReadTask {
  return {
    rules: { now: Date.UTC(2026, 10, 1), windowDays: null, period: null },
    served: [],
    memory: emptyMemory(),
    time: endless(never),
    patienceOf: () => 10_000,
    isData: (url) => url.endsWith('.enc.ttl'),
    orderOf: (url) => url,
    ...changes,
  };
}

const { signal: never } = new AbortController();

/** What became of files and folders, by the last part of their addresses: their key, or why they do not count. */
export function outcomesOf(pod: Pick<Pod, 'rows' | 'folders'>): Record<string, unknown> {
  const outcomes: Record<string, unknown> = {};
  for (const { url, outcome } of askedOf(pod)) {
    const name = /[^/]+\/?$/.exec(url)?.[0] ?? url;
    const key = outcome.kind === 'read' ? outcome.key : null;
    outcomes[name] = outcome.kind === 'not read' ? outcome.because : { key };
  }
  return outcomes;
}
