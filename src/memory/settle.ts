import type { CountedFigures } from '../analysis/summarise-cohort.js';
import type { Claim, Memory, RememberedFigures, RememberedPod, RememberedShare } from './memory.js';
import type { ShareFate } from './share-fates.js';

/** What an analysis found out about one Pod that shares something. */
export interface AskedPod {
  /** Canonical. */
  root: string;
  /** A keyed digest of the root. */
  digest: string;
  /**
   * The fate of every share of the Pod, by its address: of remembered and new shares, and also of shares for which
   * there was no time.
   */
  fates: ReadonlyMap<string, ShareFate>;
  /** Whether time ran out before everything that the Pod shares was asked for. */
  isUnfinished: boolean;
  /**
   * Each key of the Pod's files, by digest: `own` if a file that it opened counts; `refused` if it was given for files
   * that do not count because it belongs to others.
   */
  claims: ReadonlyMap<string, Claim>;
  /** The figures of the files that were read; null when none was read. */
  figures: CountedFigures | null;
}

export interface SettlingRules {
  /** A digest of the rules that decide which readings count: figures made under other rules are not carried. */
  digest: string;
  windowDays: number | null;
  /**
   * If true, every Pod counts with only the files that were read, as the specification says, and never with earlier
   * figures.
   */
  partialCohort: boolean;
}

export interface Settlement {
  /** What is remembered from now on. */
  memory: Memory;
  /** The figures of each Pod that counts in the cohort, by root. */
  counted: ReadonlyMap<string, CountedFigures>;
  /** By root, the Pods that count with figures of an earlier day, each with that earlier day, in days since 1970. */
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

/** Decides which Pods count, with which figures, and what is remembered. `today` is in days since 1970. */
export function settle(
  before: Memory,
  asked: readonly AskedPod[],
  rules: SettlingRules,
  today: number,
): Settlement {
  const pods = new Map(before.pods);
  const claims = claimsAfter(before.claims, asked);
  const counted = new Map<string, CountedFigures>();
  const carried = new Map<string, number>();
  const standing: Record<Standing, string[]> = { whole: [], carried: [], out: [], outdated: [] };
  const letGo: string[] = [];
  for (const pod of asked.filter((pod) => tellsOf(pod, before.pods.get(pod.root)))) {
    const { root, isUnfinished } = pod;
    const known = before.pods.get(root) ?? null;
    const settled = settleShares(pod, known, today);
    const { shares, losesFigures } = settled;
    letGo.push(...settled.letGo);
    // A revocation ends the earlier figures too, and so does a share that has just been set aside.
    const earlier = losesFigures ? null : (known?.figures ?? null);
    const stands = standingOf(pod, earlier, settled, rules, today);
    standing[stands].push(root);
    const read = pod.figures && { ...pod.figures, day: today, rules: rules.digest };
    const figures = stands === 'whole' ? read : earlier;
    const counts = stands === 'whole' || stands === 'carried';
    if (counts && figures !== null) counted.set(root, figures);
    if (stands === 'carried' && earlier !== null) carried.set(root, earlier.day);
    const waited = isUnfinished ? (known?.waited ?? 0) + 1 : 0;
    if (shares.size === 0) pods.delete(root);
    else pods.set(root, { root, shares, figures, waited });
  }
  const { out, outdated } = standing;
  const memory = { ...before, pods, claims };
  return { memory, counted, carried, notIn: out, outdated, letGo };
}

/**
 * Whether this analysis learned something about the Pod. If no file of a remembered Pod was read, and none of its
 * remembered shares has a fate, the Pod does not count, and the memory of it stays as it is. Otherwise a stranger's
 * entry about any address in the Pod would change the memory.
 */
function tellsOf({ fates, figures }: AskedPod, known: RememberedPod | undefined): boolean {
  if (known === undefined || figures !== null) return true;
  return [...fates.keys()].some((url) => known.shares.has(url));
}

/**
 * `whole`: it counts with the files that were read today. `carried`: it counts with its figures of an earlier day.
 * `out`: it does not count until everything was read. `outdated`: like `out`, but it has figures made under other
 * rules.
 */
type Standing = 'whole' | 'carried' | 'out' | 'outdated';

/**
 * A Pod whose files could not all be read counts with its last figures or not at all. So nobody can change a figure by
 * keeping a part of a Pod from being read. (`partialCohort` gives this up.)
 */
function standingOf(
  { isUnfinished }: AskedPod,
  earlier: RememberedFigures | null,
  { isMissing, isMissingByOthers }: SettledShares,
  { digest, windowDays, partialCohort }: SettlingRules,
  today: number,
): Standing {
  if (partialCohort) return 'whole';
  // A Pod without earlier figures counts even if others caused files to be left out: otherwise they could keep the Pod
  // out.
  const isWhole = !isUnfinished && !isMissing && (!isMissingByOthers || earlier === null);
  if (isWhole) return 'whole';
  if (earlier === null) return 'out';
  if (earlier.rules !== digest) return 'outdated';
  // After a clock was set back, the age is negative and figures count as fresh.
  return windowDays === null || today - earlier.day <= windowDays ? 'carried' : 'out';
}

type SettledShares = ReturnType<typeof settleShares>;

function settleShares({ fates }: AskedPod, known: RememberedPod | null, today: number) {
  const shares = new Map<string, RememberedShare>(known?.shares);
  const letGo: string[] = [];
  let [losesFigures, isMissing, isMissingByOthers] = [false, false, false];
  for (const [url, fate] of fates) {
    const share = shares.get(url) ?? null;
    if (fate.kind === 'read') {
      // A plain file keeps its earlier key: the app uses this key when it encrypts the file again.
      shares.set(url, { url, key: fate.key ?? share?.key ?? null, missingOn: [] });
    } else if (share === null || fate.kind === 'not asked') {
      // A share that was never read cannot be missing; "not asked" only means that time ran out.
    } else if (fate.kind === 'set aside') {
      // Only the first time: figures made since then do without it.
      if (share.isSetAside !== true) losesFigures = true;
      shares.set(url, { ...share, isSetAside: true });
    } else if (fate.kind === 'ended') {
      shares.delete(url);
      losesFigures = true;
    } else if (fate.kind === 'empty') {
      shares.set(url, { url, key: share.key, missingOn: [] });
    } else {
      const missingOn = [...new Set([...share.missingOn, today])];
      if (missingOn.length >= DAYS_OF_PATIENCE) {
        shares.delete(url);
        letGo.push(url);
      } else {
        shares.set(url, { url, key: share.key, missingOn });
        if (fate.isCausedByOthers) isMissingByOthers = true;
        else isMissing = true;
      }
    }
  }
  return { shares, letGo, losesFigures, isMissing, isMissingByOthers };
}

function claimsAfter(before: Memory['claims'], asked: readonly AskedPod[]): Memory['claims'] {
  const claims = new Map(before);
  for (const { digest, claims: found } of asked) {
    if (found.size > 0) claims.set(digest, addClaims(before.get(digest), found));
  }
  return claims;
}

/** A key that a Pod owns never becomes `refused`. */
function addClaims(
  before: ReadonlyMap<string, Claim> | undefined,
  found: ReadonlyMap<string, Claim>,
): ReadonlyMap<string, Claim> {
  const claims = new Map(before);
  for (const [key, claim] of found) {
    if (claims.get(key) !== 'own') claims.set(key, claim);
  }
  return claims;
}
