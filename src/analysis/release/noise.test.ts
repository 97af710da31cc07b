import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../test/support/seeded-random.js';
import { DAY_MS as day } from '../../base/utc-time.js';
import { fractionOf } from './fraction.js';
import {
  budgetUsedUpUntil,
  figuresInForce,
  type NoiseRelease,
  type NoiseRules,
  noiseInForce,
  noiseToEitherSide,
  noisyAverage,
  releaseNoise,
} from './noise.js';

const rules: NoiseRules = {
  epsilon: 0.5,
  everyDays: 7,
  bounds: { systolic: [80, 200], diastolic: [40, 120], heart_rate: [40, 120] },
  budget: 6,
  perDays: 365,
  minimumCohortPods: 0,
};

/** So little noise that it is none. */
const hardlyAny = fractionOf(1_000_000);

describe('The figure with noise', () => {
  const average = (...averages: number[]) => noisyAverage(averages, [80, 200], hardlyAny);

  test('is the average in tenths, of averages in tenths', () => {
    expect(average(120, 130)).toBe(125);
    expect(average(120, 120, 121)).toBe(120.3);
    expect(average(100.04, 100.04)).toBe(100);
    expect(average(100.1, 100.2)).toBe(100.2);
  });

  test('[5.15] counts each average within the bounds only', () => {
    expect(average(20, 300)).toBe(140);
    expect(average(300, 300)).toBe(200);
  });

  test('stays within the bounds whatever the noise', () => {
    const random = seededRandom('clamped');
    const figures = Array.from({ length: 500 }, () =>
      noisyAverage([120, 130], [80, 200], fractionOf(0.01), random),
    );
    expect(figures.every((figure) => figure >= 80 && figure <= 200)).toBe(true);
    expect(figures).toContain(80);
    expect(figures).toContain(200);
  });
});

/**
 * Two cohorts that differ in everything one Pod says, and the largest ratio of the frequencies
 * of "at most y", and of "more than y", that their figures show for sure: with bounds of
 * Hoeffding that fail once in ten thousand tries for all y together.
 */
function surelySeenRatio(trueEpsilon: number): number {
  const draws = 15_000;
  const bounds = [80, 84] as const;
  const random = seededRandom(`neighbours ${trueEpsilon}`);
  const sample = (last: number) =>
    Array.from({ length: draws }, () =>
      noisyAverage([82, 81, 83, last], bounds, fractionOf(trueEpsilon), random),
    );
  const [low, high] = [sample(80), sample(84)];
  const thresholds = Array.from({ length: 40 }, (_, tenth) => 80 + tenth / 10);
  const margin = Math.sqrt(Math.log((2 * 4 * thresholds.length) / 0.0001) / (2 * draws));
  const ratios = thresholds.flatMap((threshold) => {
    const share = (figures: number[]) =>
      figures.filter((figure) => figure <= threshold).length / draws;
    const [one, other] = [share(low), share(high)];
    return [(one - margin) / (other + margin), (1 - other - margin) / (1 - one + margin)];
  });
  return Math.max(...ratios);
}

describe('The promise', () => {
  test.each([0.5, 1, 2])('[5.15] of epsilon %d holds between neighbouring cohorts', (epsilon) => {
    expect(surelySeenRatio(epsilon)).toBeLessThanOrEqual(Math.exp(epsilon));
  });

  test('is tight enough that half the noise is found out', () => {
    expect(surelySeenRatio(2)).toBeGreaterThan(Math.exp(1));
  });
});

describe('A release with noise', () => {
  const start = 20_000 * 7 * day;
  const averages = { systolic: [120, 130, 140], diastolic: [70, 80, 90], heart_rate: [60] };
  const at = (history: readonly NoiseRelease[], now: number, changed: Partial<NoiseRules> = {}) =>
    releaseNoise(
      history,
      { averages, now, random: seededRandom(String(now)) },
      { ...rules, ...changed },
    );

  test('[5.10] is made by the first analysis of a period, and stays until the next', () => {
    const first = at([], start + 3 * day);
    expect(first).toHaveLength(1);
    expect(at(first, start + 3 * day + 1)).toBe(first);
    expect(at(first, start + 7 * day - 1)).toBe(first);
    const second = at(first, start + 7 * day);
    expect(second).toHaveLength(2);
    expect(at(second, start + 10 * day)).toBe(second);
    // Periods without an analysis leave nothing to make up for.
    expect(at(second, start + 50 * day)).toHaveLength(3);
  });

  test('[5.10] is not made again when the clock goes back', () => {
    const first = at([], start);
    expect(at(first, start - 30 * day)).toBe(first);
  });

  test('[5.8] has a figure for each measure of several Pods, and says how many', () => {
    const [release] = at([], start);
    expect(release?.figures.systolic).toEqual(expect.any(Number));
    expect(release?.figures.heart_rate).toBeNull();
    expect(release?.pods).toEqual({ systolic: 3, diastolic: 3, heart_rate: 1 });
  });

  test('[5.10][5.14] waits, at no expense, until some measure has enough Pods', () => {
    const none: readonly NoiseRelease[] = [];
    expect(at(none, start, { minimumCohortPods: 4 })).toBe(none);
    const first = at(none, start);
    const figures = figuresInForce(first, { ...rules, minimumCohortPods: 4 });
    expect(figures).toEqual({ systolic: null, diastolic: null, heart_rate: null });
  });

  test('[5.10] spends three times epsilon of a budget that holds in any stretch of per_days', () => {
    const changed = { budget: 4.6, everyDays: 1, perDays: 10 };
    let history: readonly NoiseRelease[] = [];
    const made: number[] = [];
    for (let hours = 0; hours < 24 * 60; hours += 5) {
      const now = start + hours * (day / 24);
      const next = at(history, now, changed);
      if (next !== history) made.push(now);
      history = next;
    }
    // 4.6 pays for three releases of 1.5.
    for (const [index, now] of made.entries()) {
      const within = made.slice(0, index + 1).filter((one) => one > now - 10 * day);
      expect(within.length).toBeLessThanOrEqual(3);
    }
    expect(made.length).toBeGreaterThanOrEqual(15);
  });

  test('[5.10] drops no release while per_days is lowered, so that all count when it is raised again', () => {
    const changed = { budget: 4.6, everyDays: 1, perDays: 100 };
    let history: readonly NoiseRelease[] = [];
    for (let days = 0; days < 3; days += 1) history = at(history, start + days * day, changed);
    expect(history).toHaveLength(3);
    const lowered = at(history, start + 20 * day, { ...changed, perDays: 2 });
    expect(lowered).toHaveLength(4);
    // Of a budget for three, four are spent.
    expect(at(lowered, start + 21 * day, changed)).toBe(lowered);
    expect(at(lowered, start + 101 * day - 1, changed)).toBe(lowered);
    expect(at(lowered, start + 101 * day, changed)).toHaveLength(5);
  });

  test('[5.10] says until when the budget is used up, to the millisecond', () => {
    const changed = { budget: 3, everyDays: 1, perDays: 10 };
    const all = { ...rules, ...changed };
    const first = at([], start, changed);
    expect(budgetUsedUpUntil(first, start + day, all)).toBeNull();
    const second = at(first, start + day, changed);
    expect(budgetUsedUpUntil(second, start + 2 * day, all)).toBe(start + 10 * day);
    expect(at(second, start + 10 * day - 1, changed)).toBe(second);
    expect(at(second, start + 10 * day, changed)).not.toBe(second);
    // What was spent is remembered at the price of then, whatever a release costs now.
    expect(budgetUsedUpUntil(second, start + 2 * day, { ...all, epsilon: 0.1 })).toBe(
      start + 10 * day,
    );
    expect(budgetUsedUpUntil(first, start + day, { ...all, epsilon: 1 })).toBe(start + 10 * day);
  });
});

describe('What is told of the noise', () => {
  // 120 / (0.1 × Pods) is the scale, and one in twenty is further away than ln 20 = 2.996 times that.
  test.each([
    [2, 120],
    [100, 40],
    [1000, 4],
    [10_000, 0.4],
    [1_000_000, 0.1],
  ])(
    'with %i Pods is %d to either side: one digit, rounded up, and no more than the bounds',
    (pods, told) => {
      expect(noiseToEitherSide([80, 200], 0.1 * pods)).toBe(told);
    },
  );

  test('holds for nineteen of twenty figures', () => {
    const random = seededRandom('either side');
    const averages = Array.from({ length: 1000 }, () => 140);
    const within = Array.from({ length: 2000 }, () =>
      noisyAverage(averages, [80, 200], fractionOf(0.1), random),
    ).filter((figure) => Math.abs(figure - 140) <= noiseToEitherSide([80, 200], 100));
    expect(within.length).toBeGreaterThan(0.95 * 2000);
  });

  test('is that of the release in force, for each of its figures', () => {
    const averages = { systolic: [120, 130], diastolic: [80, 90], heart_rate: [60] };
    const now = 20_000 * 7 * day;
    const made = releaseNoise([], { averages, now, random: seededRandom('told') }, rules);
    const changed = { ...rules, epsilon: 100 };
    expect(noiseInForce(made, changed)).toEqual({
      systolic: 120,
      diastolic: 80,
      heart_rate: null,
    });
    expect(noiseInForce([], rules)).toEqual(figuresInForce([], rules));
  });
});
