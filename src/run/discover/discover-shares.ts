import { AnalyserError, messageOf, ServerError } from '../../base/errors.js';
import { mapConcurrently } from '../../base/map-concurrently.js';
import { WarningList } from '../../base/warning-list.js';
import type { Config } from '../../config/schema.js';
import type { KeptShare } from '../../ledger/ledger-state.js';
import { readInbox } from '../../pod/inbox/read-inbox.js';
import { isEncrypted } from '../../pod/read-resource.js';
import { isFolder, parentFolder } from '../../pod/resource-address.js';
import type { Connection } from '../connection.js';
import { byServer } from '../read/by-server.js';
import type { CircuitBreaker } from '../read/circuit-breaker.js';
import { classifyShare, isData, type ShareRules, shareRules } from './classify-share.js';
import { expandFolder, isTakenBack } from './expand-folder.js';
import { type KnownShares, knownShares } from './known-shares.js';
import type { FileProblem, SharedFile, SharedPod, Shares } from './shared-files.js';

/** A folder costs one request, and few people share more than one. */
const FOLDERS_AT_ONCE = 16;

/** Steps 2 and 3: reads the inbox, keeps what is data and groups it by owner. */
export async function discoverShares(
  connection: Connection,
  config: Config,
  breaker: CircuitBreaker,
  signal: AbortSignal,
): Promise<Shares> {
  const { client, pod, opener, inbox: memory, ledger } = connection;
  const rules = shareRules(config, pod.root);
  const wanted = (url: string) => isData(url, rules);
  const { warnings, kept } = await readLedger(connection, config);
  const inbox = await readInbox(client, pod, opener, { wanted, memory, signal }).catch(
    (error: unknown) => {
      if (kept.length === 0 || !isSpoilt(error)) throw error;
      return { ...noInbox, warnings: [`${messageOf(error)} What was read before still counts.`] };
    },
  );
  const known = { ...knownShares(inbox, kept, ledger, rules), notWanted: inbox.notWanted };
  known.warnings.unshift(...warnings, ...inbox.warnings);
  return arrangeShares(connection, rules, known, breaker, signal);
}

/** The kept shares; none when the configuration gives the inbox the last word. */
export async function readLedger(
  { ledger }: Connection,
  config: Config,
): Promise<{ warnings: string[]; kept: KeptShare[] }> {
  const warnings = await ledger.refresh();
  return { warnings, kept: config.data.keep_removed_shares ? [...ledger.shares()] : [] };
}

const noInbox = { entries: [], notWanted: [] };

/** Anybody can make the inbox unreadable, which must not stop kept shares from being read. */
function isSpoilt(error: unknown): boolean {
  if (!(error instanceof AnalyserError)) return false;
  return (
    error.kind === 'malformed' || (error instanceof ServerError && error.failure === 'too-large')
  );
}

/** Replaces folders by the files in them and groups the files by Pod. */
export async function arrangeShares(
  { client }: Connection,
  rules: ShareRules,
  { shares, announced, spellings, notWanted, warnings }: KnownShares & { notWanted: string[] },
  breaker: CircuitBreaker,
  signal: AbortSignal,
): Promise<Shares> {
  const files = new Map<string, SharedFile>();
  const folderKeys = new Map<string, readonly Buffer[]>();
  for (const [url, keys] of shares) {
    if (isFolder(url)) folderKeys.set(url, keys);
    else {
      const isAnnounced = announced.has(url);
      files.set(url, { url, keys, listedIn: null, isAnnounced, problem: null });
    }
  }
  /** For each folder that can be listed, whether others can put files there. */
  const openFolders = new Map<string, boolean>();
  const folderWarnings: string[] = [];
  const unlistedFolders: Shares['unlistedFolders'] = [];
  const expand = async (folder: string, signal: AbortSignal) => {
    const expanded = await expandFolder(client, folder, breaker, signal);
    if (expanded.members === null) {
      const { unlisted, warning } = expanded;
      const share = classifyShare(folder, rules);
      if (share.kind === 'data') unlistedFolders.push({ ...unlisted, root: share.owner.root });
      if (announced.has(folder) || !isTakenBack(unlisted)) folderWarnings.push(warning);
      return;
    }
    if (expanded.warning !== null) folderWarnings.push(expanded.warning);
    openFolders.set(folder, expanded.isWritable);
    for (const url of expanded.members) {
      if (!isData(url, rules)) continue;
      const keys = files.get(url)?.keys ?? [];
      files.set(url, { url, keys, listedIn: folder, isAnnounced: true, problem: null });
    }
  };
  const othersUntil = breaker.othersUntil.folders;
  await byServer(
    folderKeys.keys(),
    { urlOf: (url) => url, breaker, othersUntil, atOnce: FOLDERS_AT_ONCE, signal },
    (folders, atOnce, until) => mapConcurrently(folders, atOnce, (one) => expand(one, until)),
  );
  for (const [url, file] of files) {
    const problem = findProblem(file, openFolders);
    // A remembered file that was deleted since.
    if (problem === 'unlisted' && !file.isAnnounced) files.delete(url);
    else if (problem !== null) files.set(url, { ...file, problem });
  }
  const grouped = withUniquePodIds(groupByPod(files, rules), rules);
  return {
    pods: grouped.pods,
    folderKeys,
    announced,
    spellings,
    unlistedFolders,
    displacedPods: grouped.displacedPods,
    notWanted,
    warnings: [
      ...warnings,
      ...refusals(notWanted, rules),
      ...folderWarnings.sort(),
      ...grouped.warnings,
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

/** Sorted, Pods and files by address, so that the order never varies. */
function groupByPod(files: ReadonlyMap<string, SharedFile>, rules: ShareRules): SharedPod[] {
  const byRoot = new Map<string, SharedPod>();
  for (const [url, file] of files) {
    const share = classifyShare(url, rules);
    if (share.kind !== 'data') continue;
    const pod = byRoot.get(share.owner.root) ?? { owner: share.owner, files: [] };
    pod.files.push(file);
    byRoot.set(share.owner.root, pod);
  }
  const pods = [...byRoot.values()].sort((one, other) => compare(one.owner.root, other.owner.root));
  for (const pod of pods) pod.files.sort((one, other) => compare(one.url, other.url));
  return pods;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Of Pods with one pod_id, the one on the Analyser's own server keeps it. */
function withUniquePodIds(
  pods: readonly SharedPod[],
  { analyserRoot }: ShareRules,
): Pick<Shares, 'pods' | 'warnings' | 'displacedPods'> {
  const { origin } = new URL(analyserRoot);
  const isAtHome = ({ owner }: SharedPod) => owner.root.startsWith(`${origin}/`);
  const chosen = new Map<string, SharedPod>();
  const warnings: string[] = [];
  const displacedPods: string[] = [];
  for (const pod of [...pods.filter(isAtHome), ...pods.filter((pod) => !isAtHome(pod))]) {
    const first = chosen.get(pod.owner.podId);
    if (first === undefined) {
      chosen.set(pod.owner.podId, pod);
    } else {
      displacedPods.push(pod.owner.root);
      warnings.push(
        `${pod.owner.root}: left out, because its pod_id ${pod.owner.podId} is that of ${first.owner.root}`,
      );
    }
  }
  const kept = new Set(chosen.values());
  return { pods: pods.filter((pod) => kept.has(pod)), warnings, displacedPods };
}
