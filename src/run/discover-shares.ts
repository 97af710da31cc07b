import { createBreather } from '../base/breathe.js';
import { mapConcurrently } from '../base/map-concurrently.js';
import { WarningList } from '../base/warning-list.js';
import type { Config } from '../config/schema.js';
import type { Owner } from '../pod/pod-of-resource.js';
import { type Inbox, readInbox } from '../pod/read-inbox.js';
import { isEncrypted } from '../pod/read-resource.js';
import { isFolder, parentFolder } from '../pod/resource-address.js';
import { classifyShare, type ShareRules, shareRules } from './classify-share.js';
import type { Connection } from './connection.js';
import { expandFolder } from './expand-folder.js';
import type { ServerPatience } from './server-patience.js';

export interface SharedFile {
  url: string;
  /** Keys shared for this very file, in the order to try them; anybody can add wrong ones. */
  keys: readonly Buffer[];
  /** The shared folder that lists it, whose key may open it; null: known from its own entry alone. */
  listedIn: string | null;
  /** Why it does not count, when that is known before it is asked for. */
  problem: FileProblem | null;
}

export type FileProblem =
  /** It lies in a shared folder where others than its owner can put files. */
  | 'writable folder'
  /** It lies below a shared folder, which is why it can be read, and neither is it listed there nor encrypted. */
  | 'unlisted';

export interface SharedPod {
  owner: Owner;
  files: SharedFile[];
}

export interface Shares {
  pods: SharedPod[];
  /** Keys of shared folders, for files that use them. */
  folderKeys: ReadonlyMap<string, readonly Buffer[]>;
  /** Addresses that were shared but are not what the analysis is for. */
  notWanted: string[];
  warnings: string[];
}

/** Enough to be quick; a folder is one request and few people share more than one. */
const FOLDERS_AT_ONCE = 16;

/** Steps 2 and 3: what the inbox reveals, cut down to data and grouped by owner. */
export async function discoverShares(
  connection: Connection,
  config: Config,
  patience: ServerPatience,
  signal: AbortSignal,
): Promise<Shares> {
  const { client, pod, opener, inbox: memory } = connection;
  const rules = shareRules(config, pod.root);
  const wanted = (url: string) => isData(url, rules);
  const inbox = await readInbox(client, pod, opener, { wanted, memory, signal });
  return arrangeShares(connection, rules, inbox, patience, signal);
}

/** Folders become the files in them, and everything goes to the Pod that it belongs to. */
export async function arrangeShares(
  { client }: Connection,
  rules: ShareRules,
  inbox: Inbox,
  patience: ServerPatience,
  signal: AbortSignal,
): Promise<Shares> {
  const files = new Map<string, SharedFile>();
  const folderKeys = new Map<string, Buffer[]>();
  const breathe = createBreather(signal);
  for (const { url, keys } of inbox.entries) {
    await breathe();
    if (!isData(url, rules)) continue;
    if (isFolder(url)) folderKeys.set(url, keys);
    else files.set(url, { url, keys, listedIn: null, problem: null });
  }
  /** Whether others can put files there, for each folder that can be listed. */
  const openFolders = new Map<string, boolean>();
  const folderWarnings: string[] = [];
  await mapConcurrently(folderKeys.keys(), FOLDERS_AT_ONCE, async (folder) => {
    const { members, isWritable, warning } = await expandFolder(client, folder, patience, signal);
    if (warning !== null) folderWarnings.push(warning);
    if (members === null) return;
    openFolders.set(folder, isWritable);
    for (const url of members) {
      if (!isData(url, rules)) continue;
      const keys = files.get(url)?.keys ?? [];
      files.set(url, { url, keys, listedIn: folder, problem: null });
    }
  });
  for (const [url, file] of files) {
    await breathe();
    const problem = findProblem(file, openFolders);
    if (problem !== null) files.set(url, { ...file, problem });
  }
  const { pods, warnings } = withUniquePodIds(await groupByPod(files, rules, breathe), rules);
  return {
    pods,
    folderKeys,
    notWanted: inbox.notWanted,
    warnings: [
      ...inbox.warnings,
      ...refusals(inbox.notWanted, rules),
      ...folderWarnings.sort(),
      ...warnings,
    ],
  };
}

function findProblem(
  { url, listedIn }: SharedFile,
  openFolders: ReadonlyMap<string, boolean>,
): FileProblem | null {
  if (openFolders.size === 0) return null;
  if (openFolders.get(parentFolder(url)) === true) return 'writable folder';
  if (listedIn !== null || isEncrypted(url)) return null;
  for (let folder = parentFolder(url); folder !== ''; folder = parentFolder(folder)) {
    if (openFolders.has(folder)) return 'unlisted';
  }
  return null;
}

function isData(url: string, rules: ShareRules): boolean {
  return classifyShare(url, rules).kind === 'data';
}

function refusals(urls: readonly string[], rules: ShareRules): string[] {
  const warnings = new WarningList();
  for (const url of urls) {
    const share = classifyShare(url, rules);
    if (share.kind !== 'refused') continue;
    warnings.add(
      `shares left out because ${share.reason}`,
      `${url}: left out, because ${share.reason}`,
    );
  }
  return warnings.list();
}

/** Stable: Pods by address, files by address. */
async function groupByPod(
  files: ReadonlyMap<string, SharedFile>,
  rules: ShareRules,
  breathe: () => Promise<void> | undefined,
): Promise<SharedPod[]> {
  const byRoot = new Map<string, SharedPod>();
  for (const file of files.values()) {
    await breathe();
    const share = classifyShare(file.url, rules);
    if (share.kind !== 'data') continue;
    const pod = byRoot.get(share.owner.root) ?? { owner: share.owner, files: [] };
    pod.files.push(file);
    byRoot.set(share.owner.root, pod);
  }
  const pods = [...byRoot.values()].sort((one, other) => compare(one.owner.root, other.owner.root));
  for (const pod of pods) {
    await breathe();
    pod.files.sort((one, other) => compare(one.url, other.url));
  }
  return pods;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Who lives on the Analyser's own server keeps a pod_id that a stranger's address also gives. */
function withUniquePodIds(
  pods: readonly SharedPod[],
  { analyserRoot }: ShareRules,
): Pick<Shares, 'pods' | 'warnings'> {
  const { origin } = new URL(analyserRoot);
  const isAtHome = ({ owner }: SharedPod) => owner.root.startsWith(`${origin}/`);
  const chosen = new Map<string, SharedPod>();
  const warnings: string[] = [];
  for (const pod of [...pods.filter(isAtHome), ...pods.filter((pod) => !isAtHome(pod))]) {
    const first = chosen.get(pod.owner.podId);
    if (first === undefined) {
      chosen.set(pod.owner.podId, pod);
    } else {
      warnings.push(
        `${pod.owner.root}: left out, because its pod_id ${pod.owner.podId} is that of ${first.owner.root}`,
      );
    }
  }
  const kept = new Set(chosen.values());
  return { pods: pods.filter((pod) => kept.has(pod)), warnings };
}
