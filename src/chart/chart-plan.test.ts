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
    expect(planChart({ readings, own, cohort })).toEqual({
      points: [
        { at: 1000, systolic: 120, diastolic: 80, heart_rate: 60 },
        { at: 2000, systolic: 122, diastolic: 82, heart_rate: null },
      ],
      means: null,
      span: [1000, 2000],
      readingCount: 3,
      undatedCount: 1,
      home: null,
      period: null,
      own,
      cohort,
      noise: { systolic: null, diastolic: null, heart_rate: null },
    });
  });

  test('[6.1] are means of stretches of time, none of a single reading, if there are too many', () => {
    // By turns 120 and 140, and among them 90, and 210 without a date.
    const readings = Array.from({ length: 4000 }, (_, index) =>
      reading(index, index % 2 === 0 ? 120 : 140, null),
    ).with(7, reading(7, 90, null));
    const { points, means, span } = planChart({
      readings: [...readings, reading(null, 210, 200)],
      own,
      cohort,
    });
    expect(means).toEqual({
      lowest: { systolic: 90, diastolic: 50, heart_rate: null },
      highest: { systolic: 140, diastolic: 100, heart_rate: null },
    });
    expect(span).toEqual([0, 3999]);
    expect(points).toHaveLength(120);
    // Of 0 to 33.
    expect(points[0]?.at).toBe(16.5);
    for (const { systolic, diastolic, heart_rate } of points) {
      expect(Math.abs((systolic ?? 0) - 130)).toBeLessThan(3);
      expect(Math.abs((diastolic ?? 0) - 90)).toBeLessThan(3);
      expect(heart_rate).toBeNull();
    }
    // A mean is that of the readings that have the measure.
    const every = Array.from({ length: 4000 }, (_, index) =>
      reading(index, 120, index % 2 === 0 ? 60 : null),
    );
    for (const point of planChart({ readings: every, own, cohort }).points) {
      expect(point.heart_rate).toBe(60);
    }
    const atOnce = readings.map((one) => ({ ...one, time: 5 }));
    expect(planChart({ readings: atOnce, own, cohort }).points).toMatchObject([
      { at: 5, systolic: 129.9875 },
    ]);
  });
});
