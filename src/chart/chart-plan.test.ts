import { describe, expect, test } from 'vitest';
import type { Reading } from '../analysis/reading.js';
import { planChart } from './chart-plan.js';

const own = { systolic: 121, diastolic: 81, heart_rate: 60 };
const cohort = { systolic: 125, diastolic: null, heart_rate: 66 };

function reading(time: number | null, systolic: number, heartRate: number | null): Reading {
  return { time, offset: 0, systolic, diastolic: systolic - 40, heart_rate: heartRate };
}

describe('the figures of a chart', () => {
  test('are the readings that it draws, oldest first, and the averages as it labels them', () => {
    const readings = [reading(2000, 122, null), reading(null, 130, 70), reading(1000, 120, 60)];
    expect(planChart({ readings, own, cohort }).figures).toEqual({
      positions: 'time',
      reading_count: 3,
      undated_count: 1,
      own,
      cohort,
      drawn: 'readings',
      points: [
        { at: 1000, systolic: 120, diastolic: 80, heart_rate: 60 },
        { at: 2000, systolic: 122, diastolic: 82, heart_rate: null },
      ],
    });
  });

  test('are numbered where no reading has a time', () => {
    const readings = [reading(null, 130, 70), reading(null, 120, 60)];
    const figures = planChart({ readings, own, cohort }).figures;
    expect(figures).toMatchObject({ positions: 'order', reading_count: 2, undated_count: 0 });
    expect(figures.points.map(({ at, systolic }) => [at, systolic])).toEqual([
      [1, 130],
      [2, 120],
    ]);
    expect(figures).not.toHaveProperty('home');
  });

  test('tell on which readings the home average rests: six days of the last seven', () => {
    const day = 86_400_000;
    const readings = Array.from({ length: 20 }, (_, index) => reading(index * day, 120, null));
    const twice = [...readings, ...readings];
    const { home } = planChart({ readings: twice, own, cohort }).figures;
    expect(home).toEqual({ from: 14 * day, to: 19 * day });
  });

  test('say nothing of days where there is no home average', () => {
    const week = 7 * 86_400_000;
    const weekly = Array.from({ length: 20 }, (_, index) => reading(index * week, 120, null));
    expect(planChart({ readings: weekly, own, cohort }).figures).not.toHaveProperty('home');
  });

  test('tell nothing of the cohort that the chart does not show', () => {
    const none = { systolic: null, diastolic: null, heart_rate: null };
    const readings = [reading(1000, 120, null)];
    const withoutRate = { ...own, heart_rate: null };
    expect(planChart({ readings, own: withoutRate, cohort }).figures.cohort).toEqual({
      ...none,
      systolic: 125,
    });
  });

  test('are rolling means, without any single reading, where the chart draws those', () => {
    // By turns 120 and 140. Four seconds in all: every window that reaches them holds them all.
    const readings = Array.from({ length: 4000 }, (_, index) =>
      reading(index, index % 2 === 0 ? 120 : 140, null),
    );
    const figures = planChart({ readings, own, cohort }).figures;
    if (figures.drawn !== 'rolling_mean') throw new Error('Single readings are drawn.');
    // 40 windows of 6 steps, and both ends, over four hours: two are left free on each side.
    expect(figures.points).toHaveLength(241);
    const near = figures.points.filter(({ systolic }) => systolic !== null);
    for (const { systolic, diastolic, heart_rate } of near) {
      expect(systolic).toEqual({ mean: 130, low: 120, high: 140 });
      expect(diastolic).toEqual({ mean: 90, low: 80, high: 100 });
      expect(heart_rate).toBeNull();
    }
    expect(near.length).toBeGreaterThan(0);
    expect(near.length).toBeLessThan(241);
  });

  test('have a gap where the rolling mean has one', () => {
    const day = 86_400_000;
    // 1,500 days, as long without, and 1,500 days again.
    const readings = Array.from({ length: 3000 }, (_, index) =>
      reading((index < 1500 ? index : index + 1500) * day, 120, 60),
    );
    const figures = planChart({ readings, own, cohort }).figures;
    const filled = figures.points.map(({ at, heart_rate }) => [at / day, heart_rate !== null]);
    const isFilled = (from: number, to: number) =>
      new Set(filled.flatMap(([at, some]) => (Number(at) > from && Number(at) < to ? [some] : [])));
    // A window is a fortieth of 4,635 days wide: 58 to either side.
    expect(isFilled(0, 1500)).toEqual(new Set([true]));
    expect(isFilled(1600, 2900)).toEqual(new Set([false]));
    expect(isFilled(3000, 4499)).toEqual(new Set([true]));
  });
});
