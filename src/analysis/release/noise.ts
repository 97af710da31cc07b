import { DAY_MS } from '../../base/utc-time.js';
import {
  byMeasure,
  type Figures,
  type MeasureName,
  measureNames,
  type PlausibleLimits,
} from '../reading.js';
import { drawDiscreteLaplace, type RandomBytes } from './discrete-laplace.js';
import { addFractions, type Fraction, fractionOf, isAtMost } from './fraction.js';

export interface NoiseRelease {
  /** Milliseconds since the epoch. */
  releasedAt: number;
  epsilon: number;
  figures: Figures;
  pods: Record<MeasureName, number>;
}

export interface NoiseRules {
  epsilon: number;
  everyDays: number;
  /** Averages are clipped to these limits, in whole units. */
  bounds: PlausibleLimits;
  budget: number;
  perDays: number;
  minimumCohortPods: number;
}

export interface NoiseInput {
  /** The averages of the Pods that count for each measure. */
  averages: Record<MeasureName, readonly number[]>;
  now: number;
  random?: RandomBytes | undefined;
}

/** A figure that rests on one Pod is never released: it would be the average of that Pod with noise. */
const FEWEST_PODS = 2;

/**
 * Adds a release to the history if one is due, the budget allows it and some measure has enough Pods; otherwise
 * returns the same history. None of these conditions depends on the value of a reading. No release is ever dropped:
 * `per_days` can be raised again, and then older ones count as well.
 */
export function releaseNoise(
  history: readonly NoiseRelease[],
  { averages, now, random }: NoiseInput,
  rules: NoiseRules,
): readonly NoiseRelease[] {
  const counts = byMeasure((name) => averages[name].length);
  const isPossible = Object.values(counts).some((count) => hasEnoughPods(count, rules));
  const isAllowed = isDue(history, now, rules) && budgetUsedUpUntil(history, now, rules) === null;
  if (!isPossible || !isAllowed) return history;
  const release: NoiseRelease = {
    releasedAt: now,
    epsilon: rules.epsilon,
    figures: byMeasure((name) =>
      hasEnoughPods(counts[name], rules)
        ? noisyAverage(averages[name], rules.bounds[name], fractionOf(rules.epsilon), random)
        : null,
    ),
    pods: counts,
  };
  return [...history, release];
}

/** The figures of the last release; a figure is null if it rests on fewer Pods than the configured minimum. */
export function figuresInForce(history: readonly NoiseRelease[], rules: NoiseRules) {
  const last = history.at(-1);
  return byMeasure((name) =>
    last !== undefined && hasEnoughPods(last.pods[name], rules) ? last.figures[name] : null,
  );
}

export function noiseInForce(history: readonly NoiseRelease[], rules: NoiseRules): Figures {
  const figures = figuresInForce(history, rules);
  const { epsilon = 0, pods = null } = history.at(-1) ?? {};
  const told = (name: MeasureName) =>
    noiseToEitherSide(rules.bounds[name], epsilon * (pods?.[name] ?? 0));
  return byMeasure((name) => (figures[name] === null ? null : told(name)));
}

/**
 * How far noise moves a figure at most, nineteen times of twenty: ln 20 times its scale. Rounded up to one digit, which
 * is all that people need, and tells little of how many Pods are behind the figure.
 */
export function noiseToEitherSide([low, high]: readonly [number, number], weight: number): number {
  const distance = (Math.log(20) * (high - low)) / weight;
  const digit = 10 ** Math.floor(Math.log10(distance));
  const rounded = Number((Math.ceil(distance / digit) * digit).toPrecision(1));
  return Math.min(high - low, Math.max(rounded, 0.1));
}

function hasEnoughPods(count: number, { minimumCohortPods }: NoiseRules): boolean {
  return count >= Math.max(FEWEST_PODS, minimumCohortPods);
}

/** One release is due in each period; periods are counted from 1970, so callers cannot influence when they start. */
function isDue(history: readonly NoiseRelease[], now: number, { everyDays }: NoiseRules): boolean {
  const period = everyDays * DAY_MS;
  const last = history.at(-1);
  return last === undefined || last.releasedAt < Math.floor(now / period) * period;
}

/** When the budget allows another release; null when it allows one now. */
export function budgetUsedUpUntil(
  history: readonly NoiseRelease[],
  now: number,
  rules: NoiseRules,
): number | null {
  const spending = history.filter((earlier) => isSpending(earlier, now, rules));
  const isAffordable = (spent: readonly NoiseRelease[]) =>
    isAtMost(addFractions(total(spent), priceOf(rules)), fractionOf(rules.budget));
  if (isAffordable(spending)) return null;
  const bought = spending.findIndex((_, index) => isAffordable(spending.slice(index + 1)));
  // The budget covers at least one release, so there is room when the newest release has expired, if not earlier.
  const last = spending[bought === -1 ? spending.length - 1 : bought];
  return (last?.releasedAt ?? now) + rules.perDays * DAY_MS;
}

function isSpending({ releasedAt }: NoiseRelease, now: number, { perDays }: NoiseRules): boolean {
  return releasedAt > now - perDays * DAY_MS;
}

/** The price of one release, which is epsilon for each measure, because a Pod takes part in all of them. */
function priceOf({ epsilon }: Pick<NoiseRelease, 'epsilon'>): Fraction {
  const { numerator, denominator } = fractionOf(epsilon);
  return { numerator: BigInt(measureNames.length) * numerator, denominator };
}

function total(releases: readonly NoiseRelease[]): Fraction {
  return releases.reduce((sum, release) => addFractions(sum, priceOf(release)), fractionOf(0));
}

/**
 * The average of the Pods' averages with noise. Each average is clipped to the bounds and rounded to tenths. One Pod
 * can change the sum by no more than the width of the bounds, and the noise on the sum is large enough to hide this.
 */
export function noisyAverage(
  averages: readonly number[],
  [low, high]: readonly [number, number],
  epsilon: Fraction,
  random?: RandomBytes,
): number {
  const [lowest, highest] = [BigInt(low) * 10n, BigInt(high) * 10n];
  const sum = averages
    .map((average) => BigInt(Math.round(Math.min(Math.max(average, low), high) * 10)))
    .reduce((all, tenths) => all + tenths, 0n);
  const width = highest - lowest;
  const scale = {
    numerator: width * epsilon.denominator,
    denominator: epsilon.numerator,
  };
  const noisy = sum + drawDiscreteLaplace(scale, random);
  const average = roundedQuotient(noisy, BigInt(averages.length));
  const clamped = average < lowest ? lowest : average > highest ? highest : average;
  return Number(clamped) / 10;
}

/** Rounds halves up, below zero as well. */
function roundedQuotient(value: bigint, divisor: bigint): bigint {
  const [doubled, twice] = [2n * value + divisor, 2n * divisor];
  const quotient = doubled / twice;
  return doubled < 0n && doubled % twice !== 0n ? quotient - 1n : quotient;
}
