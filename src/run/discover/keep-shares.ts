import { countOf } from '../../base/count-of.js';
import type { KeptShare } from '../../ledger/ledger-state.js';
import type { LedgerNews, ShareLedger } from '../../ledger/share-ledger.js';
import type { Connection } from '../connection.js';
import type { FileTrace, PodResult } from '../read/pod-result.js';
import { openedKeys, type UndisputedReading } from '../read/undisputed-reading.js';
import { isTakenBack } from './expand-folder.js';
import { spellingOf } from './owner-names.js';
import type { Shares } from './shared-files.js';

type ReadShare = KeptShare & { root: string };
type ReadTrace = Extract<FileTrace, { outcome: 'read' }>;

/** What an analysis found out about the shares it read, for the ledger. */
export async function collectLedgerNews(
  connection: Connection,
  shares: Shares,
  { results, disputed }: UndisputedReading,
  keep: boolean,
): Promise<LedgerNews> {
  const { ledger } = connection;
  const read = listReadShares(shares, results, ledger);
  const counted = new Set(read.map(({ url }) => url));
  const lost = findEndedShares(shares, results, ledger).filter((url) => !counted.has(url));
  return {
    read: keep ? read : [],
    ended: await keepRefusalsOfWorkingLogins(connection, lost, results),
    opened: [...openedKeys(results), ...disputed],
  };
}

/**
 * Writes the ledger before any figure leaves: otherwise somebody who removes an entry and puts it
 * back could work out what it contributes. Returns warnings.
 */
export async function keepShares(
  ledger: ShareLedger,
  news: LedgerNews,
  results: readonly PodResult[],
): Promise<string[]> {
  const full = await ledger.record(news);
  const warnings = [...full]
    .sort()
    .map(
      (root) =>
        `${root}: so many shares of this Pod were read that new ones are not remembered any more; they count as long as their entries are in the inbox.`,
    );
  const count = results
    .flatMap(({ traces }) => traces)
    .filter(({ outcome, isAnnounced }) => outcome === 'read' && !isAnnounced).length;
  if (count > 0) {
    warnings.push(
      `Counted ${countOf(count, 'file')} without an entry in the inbox, because the server still lets the Analyser read what was shared. ` +
        'Who takes back a share closes its access as well; anybody can remove entries.',
    );
  }
  return warnings;
}

/** The shares in the inbox and in the ledger of which something was read. Files of a shared folder are kept as that folder. */
function listReadShares(
  { announced, pods, spellings }: Shares,
  results: readonly PodResult[],
  ledger: ShareLedger,
): ReadShare[] {
  const isShare = (url: string) => announced.has(url) || ledger.find(url) !== null;
  const files = pods.flatMap((pod) => pod.files);
  const places = new Map(files.map(({ url, listedIn }) => [url, listedIn]));
  const read = new Map<string, ReadShare>();
  for (const { owner, traces } of results) {
    const { root } = owner;
    const keep = (url: string, key: Buffer | null) =>
      read.set(url, { url, spelling: spellingOf(spellings, url, key), key, root });
    for (const { url, key, folder } of sortKeptFirst(traces, ledger)) {
      if (isShare(url)) keep(url, key);
      const place = folder ?? places.get(url) ?? null;
      if (place === null || !isShare(place)) continue;
      if (key !== null && folder !== null) {
        const known = read.get(place)?.key;
        if (!known) keep(place, key);
        // A folder is kept with one key; a file that another key opened is kept by itself.
        else if (!known.equals(key)) keep(url, key);
      } else if (key === null && !read.has(place) && ledger.find(place) === null) {
        keep(place, null);
      }
    }
  }
  return [...read.values()];
}

/** A folder stays with the key that it was kept with, as long as that key opens a file. */
function sortKeptFirst(traces: readonly FileTrace[], ledger: ShareLedger): ReadTrace[] {
  const read = traces.filter((trace) => trace.outcome === 'read');
  const isKept = ({ folder, key }: ReadTrace) =>
    folder !== null && key !== null && ledger.find(folder)?.key?.equals(key) === true;
  return [...read.filter(isKept), ...read.filter((trace) => !isKept(trace))];
}

/** Kept shares that the server refuses, or that their key no longer opens. */
function findEndedShares(
  { pods, unlistedFolders }: Shares,
  results: readonly PodResult[],
  ledger: ShareLedger,
): string[] {
  const lost = new Set(unlistedFolders.filter(isTakenBack).map(({ url }) => url));
  const unopened = new Set<string>();
  for (const { url, outcome } of results.flatMap(({ traces }) => traces)) {
    if (outcome === 'refused' || outcome === 'unopened') lost.add(url);
    if (outcome === 'unopened') unopened.add(url);
  }
  for (const { url, listedIn } of pods.flatMap((pod) => pod.files)) {
    if (listedIn !== null && unopened.has(url) && ledger.find(listedIn)?.key) lost.add(listedIn);
  }
  return [...lost].filter((url) => ledger.find(url) !== null);
}

/** A server that accepts no login refuses everything, so its refusals do not end a share. */
async function keepRefusalsOfWorkingLogins(
  { client, pod }: Connection,
  urls: readonly string[],
  results: readonly PodResult[],
): Promise<string[]> {
  const originOf = (url: string) => new URL(url).origin;
  const wanted = new Set(urls.map(originOf));
  if (wanted.size === 0) return [];
  const answered = new Set<string>();
  for (const { url, outcome } of results.flatMap(({ traces }) => traces)) {
    if (outcome === 'read' || outcome === 'unopened') answered.add(originOf(url));
  }
  const home = originOf(pod.root);
  if (wanted.has(home) && !answered.has(home)) {
    const own = await client.request(pod.documents.encKeys).catch(() => null);
    if (own !== null && own.status < 300) answered.add(home);
  }
  return urls.filter((url) => answered.has(originOf(url)));
}
