import type { CountedSums } from '../../analysis/sums.js';
import { groupBy, present } from '../../base/lists.js';
import type { KeyedDigest, Memory, RememberedShare, RememberedSums } from '../../memory/memory.js';
import { parentFolder } from '../../pod/addresses.js';
import { reasons } from '../../pod/reasons.js';
import { addClaims, boundClaims } from './claims.js';
import { type Fate, fateOf, hasEarlierSums, isUnfinished } from './fate.js';
import { type FileRead, type Folder, filesOf, isIn, keyText, type Pod, type Row } from './row.js';

/** As much of a PodReading as settling needs. */
export interface ReadPod extends Pod {
  /** What the files that were read add to the cohort; null when none was read. */
  readonly sums: CountedSums | null;
}

export interface SettlingRules {
  /** A digest of the rules that decide which readings count: sums made under other rules are not carried. */
  rulesDigest: string;
  windowDays: number | null;
  /** In days since 1970. */
  today: number;
  keyedDigest: KeyedDigest;
}

/** How a Pod counts in the cohort. */
export type Standing =
  /** With the files that were read in this analysis. */
  | { kind: 'whole'; sums: CountedSums }
  /** Nothing of it counts, and nothing is missing; or nothing was read, nor asked for that was read before. */
  | { kind: 'empty' }
  /** With its earlier sums, because not all of it was read. `day` is theirs, in days since 1970. */
  | { kind: 'carried'; sums: CountedSums; day: number }
  /** Not before everything was read. */
  | { kind: 'out' }
  /** Not before everything was read; it has earlier sums, which were made under other rules. */
  | { kind: 'outdated' };

export interface Settlement {
  /** What is remembered from now on. */
  memory: Memory;
  /** By root. */
  standings: ReadonlyMap<string, Standing>;
  /** Addresses of shares that were missing for too long and are forgotten. */
  letGo: readonly string[];
  /** Digests of the Pods whose newest keys are not remembered, because they have too many. */
  crowded: ReadonlySet<string>;
}

/**
 * A share is forgotten once it was missing on this number of days. Only days on which it was asked for are counted. The
 * count begins anew when the address answers again.
 */
export const DAYS_OF_PATIENCE = 10;

/** Decides which Pods count, with which sums, and what is remembered. */
export function settle(before: Memory, pods: readonly ReadPod[], rules: SettlingRules): Settlement {
  const remembered = new Map(before.pods);
  const standings = new Map<string, Standing>();
  const letGo: string[] = [];
  for (const pod of pods) {
    if (!tellsSomething(pod)) continue;
    const { root } = pod.owner;
    const { standing, shares, folders, sums, forgotten } = settlePod(pod, rules);
    standings.set(root, standing);
    letGo.push(...forgotten);
    if (shares.size === 0) remembered.delete(root);
    else remembered.set(root, { root, shares, folders, sums });
  }
  const { claims, crowded } = boundClaims(
    addClaims(before.claims, usedKeys(pods, rules.keyedDigest)),
  );
  return { memory: { ...before, pods: remembered, claims }, standings, letGo, crowded };
}

/** By root, the sums of the Pods that count. */
export function sumsThatCount({
  standings,
}: Pick<Settlement, 'standings'>): Map<string, CountedSums> {
  const counted = new Map<string, CountedSums>();
  for (const [root, standing] of standings) {
    if ('sums' in standing) counted.set(root, standing.sums);
  }
  return counted;
}

/**
 * False for a remembered Pod of which nothing was read and nothing remembered stands in the table: the memory of it stays
 * as it is. Otherwise a stranger's entry about any address in the Pod would change the memory.
 */
function tellsSomething({ known, sums, rows }: ReadPod): boolean {
  return known === null || sums !== null || [...rows.values()].some((row) => row.known !== null);
}

function settlePod(pod: ReadPod, rules: SettlingRules) {
  const { shares, folders, missing, forgotten } = sharesAfter(pod, rules.today);
  const earlier = hasEarlierSums(pod) ? (pod.known?.sums ?? null) : null;
  const standing = standingOf(pod, earlier, missing, rules);
  return { standing, shares, folders, sums: sumsAfter(standing, earlier, rules), forgotten };
}

/** What of a Pod is remembered from now on, how files are missing, and which were missing for too long. */
function sharesAfter(pod: ReadPod, today: number) {
  const shares = new Map<string, RememberedShare>(pod.known?.shares);
  const folders = new Map(pod.known?.folders);
  const missing = new Set<Fate>();
  const forgotten: string[] = [];
  for (const folder of pod.folders.values()) {
    const read = filesReadIn(folder);
    const keys = keysTakenFrom(folder, read);
    const earlier = folder.known?.key ?? null;
    if (keys.length > 0 || read.some(isPlain)) folders.set(folder.url, likeliest(keys, earlier));
  }
  for (const row of filesOf(pod)) {
    const { url, known } = row;
    const fate = fateOf(row);
    switch (fate) {
      case 'kept':
        shares.set(url, { url, ownKey: keyOfFile(row, folders), missingOn: [] });
        break;
      case 'ended':
        shares.delete(url);
        break;
      case 'replaced':
        if (known !== null) shares.set(url, { ...known, missingOn: [] });
        break;
      case 'missing':
      case 'missing because of others': {
        if (known === null) break;
        const missingOn = [...new Set([...known.missingOn, today])];
        if (missingOn.length >= DAYS_OF_PATIENCE) {
          shares.delete(url);
          forgotten.push(url);
        } else {
          shares.set(url, { ...known, missingOn });
          missing.add(fate);
        }
        break;
      }
      case 'not asked':
      case 'never read':
    }
  }
  return { shares, folders: foldersInUse(folders, shares.values()), missing, forgotten };
}

/** Those from which a remembered file takes its key, or in which a plain one lies. */
function foldersInUse(
  folders: ReadonlyMap<string, Buffer | null>,
  shares: Iterable<RememberedShare>,
): Map<string, Buffer | null> {
  const inUse = new Set<string>();
  for (const { url, ownKey } of shares) {
    const folder = parentFolder(url);
    if (ownKey === null || isIn([ownKey], folders.get(folder) ?? null)) inUse.add(folder);
  }
  return new Map([...folders].filter(([url]) => inUse.has(url)));
}

/** Those that the folder lists. */
function filesReadIn({ outcome, files }: Folder): FileRead[] {
  if (outcome.kind !== 'listed') return [];
  return present(files.map((file) => (file.isListed ? file.read : null)));
}

/** Keys given for the folder that opened files which say that they take their key from there. */
function keysTakenFrom({ url, keys }: Folder, read: readonly FileRead[]): Buffer[] {
  // Gone through once: strangers choose how many there are.
  const given = new Set(keys.map(keyText));
  const isTaken = ({ key, keyFrom }: FileRead) => keyFrom === url && given.has(keyText(key));
  return present(read.filter(isTaken).map(({ key }) => key));
}

/** The key that a folder is remembered with: that of most files, or the earlier one of two. */
function likeliest(keys: readonly Buffer[], earlier: Buffer | null): Buffer | null {
  const byKey = [...groupBy(keys, keyText).values()];
  const most = Math.max(...byKey.map(({ length }) => length));
  const likely = byKey.filter(({ length }) => length === most).flat();
  return isIn(likely, earlier) ? earlier : (likely[0] ?? earlier);
}

function isPlain({ key }: FileRead): boolean {
  return key === null;
}

/** The key that a file which counts is remembered with: so what is remembered opens what was read, whoever removes entries. */
function keyOfFile(
  { url, read, known }: Row,
  folders: ReadonlyMap<string, Buffer | null>,
): Buffer | null {
  const key = read?.key ?? null;
  // A plain file keeps its earlier key: the app uses this key when it encrypts the file again.
  if (read === null || key === null) return known?.ownKey ?? null;
  const folder = parentFolder(url);
  const isOfFolder = read.keyFrom === folder && isIn([key], folders.get(folder) ?? null);
  return isOfFolder ? null : key;
}

/**
 * A Pod whose files could not all be read counts with its last sums or not at all. So nobody can change a figure by
 * keeping a part of a Pod from being read.
 */
function standingOf(
  pod: ReadPod,
  earlier: RememberedSums | null,
  missing: ReadonlySet<Fate>,
  { rulesDigest, windowDays, today }: SettlingRules,
): Standing {
  // A Pod without earlier sums counts even if others caused files to be left out: otherwise they could keep it out.
  const isPart =
    missing.has('missing') || (missing.has('missing because of others') && earlier !== null);
  if (!isPart && !isUnfinished(pod)) {
    return pod.sums === null ? { kind: 'empty' } : { kind: 'whole', sums: pod.sums };
  }
  if (earlier === null) return { kind: 'out' };
  if (earlier.rules !== rulesDigest) return { kind: 'outdated' };
  // After a clock was set back, the age is negative and sums count as fresh.
  const isFresh = windowDays === null || today - earlier.day <= windowDays;
  return isFresh ? { kind: 'carried', sums: earlier, day: earlier.day } : { kind: 'out' };
}

/** The sums with which the Pod last counted, as they are remembered from now on. */
function sumsAfter(
  standing: Standing,
  earlier: RememberedSums | null,
  { rulesDigest, today }: SettlingRules,
): RememberedSums | null {
  if (standing.kind === 'whole') return { ...standing.sums, day: today, rules: rulesDigest };
  return standing.kind === 'empty' ? null : earlier;
}

/** The keys that opened files, each with the Pods of these files. */
function usedKeys(pods: readonly ReadPod[], keyedDigest: KeyedDigest): Map<string, string[]> {
  const used = new Map<string, string[]>();
  for (const pod of pods) {
    for (const { outcome } of filesOf(pod)) {
      const isClaimed = outcome.kind === 'read' || reasons[outcome.because].key === 'claimed';
      if (!isClaimed || !outcome.key) continue;
      const key = keyedDigest('key', outcome.key);
      const others = used.get(key) ?? [];
      if (!others.includes(pod.rootDigest)) used.set(key, [...others, pod.rootDigest]);
    }
  }
  return used;
}
