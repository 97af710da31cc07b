import type { CountedFigures } from '../../analysis/summarise-cohort.js';
import type { DigestOf } from '../../memory/digests.js';
import type { Memory, RememberedFigures, RememberedShare } from '../../memory/memory.js';
import { causedByOthers, emptyAnswers, hasEnded, isFor } from '../../pod/outcome.js';
import { isFolder, parentFolder } from '../../pod/resource-address.js';
import { addClaims } from './claims.js';
import {
  decidingOutcome,
  filesOf,
  isUnfinished,
  keyOf,
  lendingFolder,
  type Pod,
  type Row,
} from './row.js';

/** A Pod whose rows were asked for and judged. */
export interface ReadPod extends Pod {
  /** What the files that were read add to the figures of the cohort; null when none was read. */
  readonly figures: CountedFigures | null;
}

export interface SettlingRules {
  /** A digest of the rules that decide which readings count: figures made under other rules are not carried. */
  digest: string;
  windowDays: number | null;
  /** In days since 1970. */
  today: number;
  digestOf: DigestOf;
}

export interface Settlement {
  /** What is remembered from now on. */
  memory: Memory;
  /** The figures of each Pod that counts in the cohort, by root. */
  counted: ReadonlyMap<string, CountedFigures>;
  /** By root, the Pods that count with earlier figures, each with the day of these, in days since 1970. */
  carried: ReadonlyMap<string, number>;
  /** Roots of Pods that do not count until everything that they share was read. */
  notIn: readonly string[];
  /** Roots of Pods that counted under other rules and could not be read in full since. */
  outdated: readonly string[];
  /** Addresses of shares that were missing for too long and are forgotten. */
  letGo: readonly string[];
}

/**
 * A share is forgotten once it was missing on this number of days. Only days on which it was asked for are counted. The
 * count begins anew when the address answers again.
 */
export const DAYS_OF_PATIENCE = 10;

/** Decides which Pods count, with which figures, and what is remembered. */
export function settle(before: Memory, pods: readonly ReadPod[], rules: SettlingRules): Settlement {
  const remembered = new Map(before.pods);
  const counted = new Map<string, CountedFigures>();
  const carried = new Map<string, number>();
  const standing: Record<Standing, string[]> = { whole: [], carried: [], out: [], outdated: [] };
  const letGo: string[] = [];
  for (const pod of pods.filter(tellsSomething)) {
    const { root } = pod.owner;
    const settled = settleShares(pod, rules.today);
    letGo.push(...settled.letGo);
    // A withdrawal takes the earlier figures with it.
    const earlier = settled.hasEnded ? null : (pod.known?.figures ?? null);
    const stands = standingOf(pod, earlier, settled, rules);
    standing[stands].push(root);
    const read = pod.figures && { ...pod.figures, day: rules.today, rules: rules.digest };
    const figures = stands === 'whole' ? read : earlier;
    if ((stands === 'whole' || stands === 'carried') && figures !== null)
      counted.set(root, figures);
    if (stands === 'carried' && earlier !== null) carried.set(root, earlier.day);
    if (settled.shares.size === 0) remembered.delete(root);
    else remembered.set(root, { root, shares: settled.shares, figures });
  }
  const claims = addClaims(before.claims, usedKeys(pods, rules.digestOf));
  return {
    memory: { ...before, pods: remembered, claims },
    ...{ counted, carried, notIn: standing.out, outdated: standing.outdated, letGo },
  };
}

/**
 * Whether this analysis learned something about the Pod. If no file of a remembered Pod was read, and nothing that it
 * shared before was asked for, the memory of it stays as it is. Otherwise a stranger's entry about any address in the
 * Pod would change the memory.
 */
function tellsSomething({ known, figures, rows }: ReadPod): boolean {
  return known === null || figures !== null || [...rows.values()].some((row) => row.known !== null);
}

/**
 * `whole`: it counts with the files that were read today. `carried`: it counts with earlier figures. `out`: it does not
 * count until everything was read. `outdated`: like `out`, but it has figures made under other rules.
 */
type Standing = 'whole' | 'carried' | 'out' | 'outdated';

/**
 * A Pod whose files could not all be read counts with its last figures or not at all. So nobody can change a figure by
 * keeping a part of a Pod from being read.
 */
function standingOf(
  pod: ReadPod,
  earlier: RememberedFigures | null,
  { isMissing, isMissingByOthers }: SettledShares,
  { digest, windowDays, today }: SettlingRules,
): Standing {
  // A Pod without earlier figures counts even if others caused files to be left out: otherwise they could keep it out.
  const isWhole = !isMissing && !(isMissingByOthers && earlier !== null) && !isUnfinished(pod);
  if (isWhole) return 'whole';
  if (earlier === null) return 'out';
  if (earlier.rules !== digest) return 'outdated';
  // After a clock was set back, the age is negative and figures count as fresh.
  return windowDays === null || today - earlier.day <= windowDays ? 'carried' : 'out';
}

type SettledShares = ReturnType<typeof settleShares>;

function settleShares(pod: ReadPod, today: number) {
  const shares = new Map<string, RememberedShare>(pod.known?.shares);
  const files = filesOf(pod);
  const letGo: string[] = [];
  let [hasEnded_, isMissing, isMissingByOthers] = [false, false, false];
  for (const row of pod.rows.values()) {
    const { url, known } = row;
    const key = isFolder(url) ? keyOfFolder(row, files) : keyOfFile(row);
    const outcome = decidingOutcome(row);
    if (key !== undefined) {
      shares.set(url, { url, key, missingOn: [] });
    } else if (known === null || isFor(outcome, 'not asked')) {
      // What was never read cannot be missing; "not asked" only means that time ran out.
    } else if (hasEnded(outcome)) {
      shares.delete(url);
      hasEnded_ = true;
    } else if (outcome.kind === 'read' || emptyAnswers.has(outcome.because)) {
      shares.set(url, { ...known, missingOn: [] });
    } else {
      const missingOn = [...new Set([...known.missingOn, today])];
      if (missingOn.length >= DAYS_OF_PATIENCE) {
        shares.delete(url);
        letGo.push(url);
      } else {
        shares.set(url, { ...known, missingOn });
        if (causedByOthers.has(outcome.because)) isMissingByOthers = true;
        else isMissing = true;
      }
    }
  }
  dropEmptyFolders(pod, shares);
  return { shares, letGo, hasEnded: hasEnded_, isMissing, isMissingByOthers };
}

/**
 * The key to remember a file with that was read, null if the file was not given it by itself; undefined when it was not
 * read. If it is the key of its folder, anybody can have copied it into an entry of the file. It is remembered all the
 * same: else a stranger who removes the entry of the owner would end the share together with that of the folder.
 */
function keyOfFile(row: Row): Buffer | null | undefined {
  if (row.outcome.kind !== 'read') return undefined;
  const key = keyOf(row);
  // A plain file keeps its earlier key: the app uses this key when it encrypts the file again.
  return isIn(row.keys, key) ? key : (row.known?.key ?? null);
}

/**
 * The key to remember a folder with, if a file counts that it lists and that one of its keys opened; undefined if none
 * does. A key that the file was not given by itself can only come from an entry of the folder. So only such a key takes
 * the place of a remembered key that opens nothing any more: anybody can copy the key of one file into that entry.
 */
function keyOfFolder(folder: Row, files: readonly Row[]): Buffer | null | undefined {
  const opened = files.filter((file) => {
    const key = keyOf(file);
    const isRead = file.outcome.kind === 'read' && lendingFolder(file) === folder;
    return isRead && (key === null || isIn(folder.keys, key));
  });
  if (opened.length === 0) return undefined;
  const keys = opened.flatMap((file) => keyOf(file) ?? []);
  const alone = opened.flatMap((file) => (isIn(file.keys, keyOf(file)) ? [] : (keyOf(file) ?? [])));
  if (folder.known === null) return alone[0] ?? keys[0] ?? null;
  const earlier = folder.known.key;
  return isIn(keys, earlier) ? earlier : (alone[0] ?? earlier);
}

/** A folder that was listed, and in which nothing is left that was read, shares nothing any more. */
function dropEmptyFolders({ rows }: Pod, shares: Map<string, RememberedShare>): void {
  const inUse = new Set([...shares.keys()].map((url) => (isFolder(url) ? '' : parentFolder(url))));
  for (const { url, outcome } of rows.values()) {
    const wasListed = outcome.kind === 'read' || isFor(outcome, 'writable');
    if (isFolder(url) && wasListed && !inUse.has(url)) shares.delete(url);
  }
}

/** The keys that opened files, each with the Pods of these files. */
function usedKeys(pods: readonly ReadPod[], digestOf: DigestOf): Map<string, string[]> {
  const used = new Map<string, string[]>();
  for (const pod of pods) {
    for (const { outcome } of filesOf(pod)) {
      const isUsed =
        outcome.kind === 'read' || isFor(outcome, 'copied key') || isFor(outcome, 'not yet');
      if (!isUsed || outcome.key === null || outcome.key === undefined) continue;
      const key = digestOf('key', outcome.key);
      const others = used.get(key) ?? [];
      if (!others.includes(pod.digest)) used.set(key, [...others, pod.digest]);
    }
  }
  return used;
}

function isIn(keys: readonly Buffer[], key: Buffer | null): boolean {
  return key !== null && keys.some((one) => one.equals(key));
}
