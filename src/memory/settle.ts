import type { CountedFigures } from '../analysis/summarise-cohort.js';
import type { Fate } from './fate.js';
import type { Memory, RememberedFigures, RememberedPod, RememberedShare } from './memory.js';

/** A Pod of which something was asked for in this analysis. */
export interface AskedPod {
  /** Canonical. */
  root: string;
  /** The root as the entry that opened something spells it. */
  spelling: string;
  /** By the address of the share: all that were asked for, remembered or not. */
  fates: ReadonlyMap<string, Fate>;
  /** Digests of the keys that opened files: those that counted, and those of other Pods. */
  opened: ReadonlyMap<string, 'own' | 'refused'>;
  /** What was read; null when nothing was. */
  figures: CountedFigures | null;
}

export interface SettlingRules {
  /** A digest of what decides which readings count: figures made under other rules are not carried. */
  digest: string;
  windowDays: number | null;
  /** Count only what was read, as the specification has it. */
  partialCohort: boolean;
}

export interface Settlement {
  /** What is remembered from now on. */
  memory: Memory;
  /** The figures of each Pod that counts in the cohort, by root. */
  counted: ReadonlyMap<string, CountedFigures>;
  /** The day, since 1970, of the figures of Pods that are carried, by root. */
  carried: ReadonlyMap<string, number>;
  /** Roots of Pods with a missing share that are not carried, for want of figures that still hold. */
  incomplete: readonly string[];
  /** Addresses of shares that were missing for so long that they were let go. */
  letGo: readonly string[];
  /** Roots of Pods whose last share has ended by refusal or key, so that their charts go. */
  left: readonly string[];
}

/** A share is let go after so many days on which it was asked for and missing, in succession. */
export const DAYS_OF_PATIENCE = 10;

/**
 * Everything that follows from an analysis. `before` is the memory as the analysis found it,
 * `stored` as it is now: what others have ended or forgotten since stays so. `today` is a day since
 * 1970.
 */
export function settle(
  { before, stored }: { before: Memory; stored: Memory },
  asked: readonly AskedPod[],
  rules: SettlingRules,
  today: number,
): Settlement {
  const pods = new Map(stored.pods);
  const counted = new Map<string, CountedFigures>();
  const carried = new Map<string, number>();
  const incomplete: string[] = [];
  const letGo: string[] = [];
  const left: string[] = [];
  for (const pod of asked) {
    const { root } = pod;
    const known = { before: before.pods.get(root) ?? null, stored: stored.pods.get(root) ?? null };
    const shares = settleShares(pod, known, today);
    letGo.push(...shares.letGo);
    if (hasLeft(known.stored, shares)) left.push(root);
    const counting = countPod(pod, known.stored, shares.hasMissing, rules, today);
    if (counting.figures !== null) counted.set(root, counting.figures);
    if (counting.carriedFrom !== null) carried.set(root, counting.carriedFrom);
    if (counting.isIncomplete) incomplete.push(root);
    const next = rememberPod(pod, known, shares, { day: today, rules: rules.digest });
    if (next === null) pods.delete(root);
    else pods.set(root, next);
  }
  return { memory: { ...stored, pods }, counted, carried, incomplete, letGo, left };
}

/** Whether the last share of the Pod has ended by refusal or key. */
function hasLeft(stored: RememberedPod | null, { shares, endedBy }: SettledShares): boolean {
  if (stored === null || stored.shares.size === 0 || shares.size > 0) return false;
  return endedBy.has('refusal') || endedBy.has('key');
}

/** A Pod with a missing share counts whole with its earlier figures, as long as those hold. */
function countPod(
  { figures }: AskedPod,
  stored: RememberedPod | null,
  hasMissing: boolean,
  rules: SettlingRules,
  today: number,
) {
  const earlier = stored?.figures ?? null;
  const mayCarry = hasMissing && !rules.partialCohort;
  if (mayCarry && earlier?.rules === rules.digest && isRecent(earlier.day, today, rules)) {
    return { figures: earlier, carriedFrom: earlier.day, isIncomplete: false };
  }
  return { figures, carriedFrom: null, isIncomplete: mayCarry };
}

/** Null when there is nothing to remember. */
function rememberPod(
  pod: AskedPod,
  { before, stored }: KnownPod,
  { shares, hasMissing }: SettledShares,
  made: Pick<RememberedFigures, 'day' | 'rules'>,
): RememberedPod | null {
  const keys = settleKeys(pod, { before, stored });
  if (shares.size === 0 && keys.size === 0) return null;
  const isForgotten = stored === null && (before?.shares.size ?? 0) > 0;
  const isWhole = !hasMissing && !isForgotten;
  const read = isWhole && pod.figures !== null ? { ...pod.figures, ...made } : null;
  const figures = read ?? stored?.figures ?? null;
  const isNamed = stored !== null && stored.shares.size > 0;
  return {
    root: pod.root,
    spelling: isNamed ? stored.spelling : pod.spelling,
    shares,
    figures: shares.size > 0 ? figures : null,
    keys,
  };
}

interface KnownPod {
  /** As the analysis found it. */
  before: RememberedPod | null;
  /** As it is stored now. */
  stored: RememberedPod | null;
}

type SettledShares = ReturnType<typeof settleShares>;

function settleShares({ fates }: AskedPod, { before, stored }: KnownPod, today: number) {
  const shares = new Map<string, RememberedShare>(stored?.shares);
  const letGo: string[] = [];
  const endedBy = new Set<string>();
  let hasMissing = false;
  for (const [url, fate] of fates) {
    const share = shares.get(url) ?? null;
    if (fate.kind === 'read') {
      // Others have ended or forgotten it since, so figures with it are not remembered.
      if (share === null && before?.shares.has(url) === true) {
        hasMissing = true;
        continue;
      }
      // A file in plaintext is encrypted again with the same key.
      const key = fate.key ?? share?.key ?? null;
      shares.set(url, { url, key, missingOn: [], wasNotAsked: false });
      continue;
    }
    if (share === null) continue;
    if (fate.kind === 'ended') {
      shares.delete(url);
      endedBy.add(fate.by);
    } else if (fate.kind === 'not asked') {
      shares.set(url, { ...share, wasNotAsked: true });
      hasMissing = true;
    } else if (fate.kind === 'missing') {
      const missingOn = [...new Set([...share.missingOn, today])];
      if (missingOn.length >= DAYS_OF_PATIENCE) {
        shares.delete(url);
        letGo.push(url);
      } else {
        shares.set(url, { ...share, missingOn, wasNotAsked: false });
        hasMissing = true;
      }
    }
  }
  return { shares, letGo, endedBy, hasMissing };
}

function settleKeys({ opened }: AskedPod, { before, stored }: KnownPod) {
  const keys = new Map(stored?.keys);
  for (const [digest, kind] of opened) {
    // Others have forgotten it since.
    const isForgotten = before?.keys.has(digest) === true && !keys.has(digest);
    if (!isForgotten) keys.set(digest, kind);
  }
  return keys;
}

/** A clock that was set back makes figures no older. */
function isRecent(day: number, today: number, { windowDays }: SettlingRules): boolean {
  return windowDays === null || today - day <= windowDays;
}
