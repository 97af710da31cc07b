import { expect, test } from 'vitest';
import type { ChartDocument } from '../../src/documents/chart-document.js';
import { layOutReadings } from './readings-layout.js';

const day = 86_400_000;
const none = { systolic: null, diastolic: null, heart_rate: null };

function readingsChart(count: number): ChartDocument {
  return {
    schema_version: 1,
    positions: 'time',
    reading_count: count,
    undated_count: 0,
    own: { systolic: 120, diastolic: 80, heart_rate: 60 },
    cohort: none,
    drawn: 'readings',
    points: Array.from({ length: count }, (_, index) => ({
      at: index * day,
      systolic: 120,
      diastolic: 80,
      heart_rate: index === 1 ? null : 60,
    })),
  };
}

test('a phone has a lower picture without anything beside the plot', () => {
  expect(layOutReadings(readingsChart(3), 1000)).toMatchObject({ narrow: false, height: 360 });
  expect(layOutReadings(readingsChart(3), 330)).toMatchObject({
    narrow: true,
    height: 280,
    plot: { left: 36, right: 318 },
  });
});

test('means are drawn of more readings than the plot has pixels, and only then', () => {
  const chart = readingsChart(400);
  expect(layOutReadings(chart, 1000).banded).toBe(false);
  // 282 of them, as above.
  const phone = layOutReadings(chart, 330);
  expect(phone.banded).toBe(true);
  // A window of ten days around the two hundredth, all of them with the same values.
  const middle = phone.places.find(({ at }) => at > 199 * day);
  expect(middle?.heart_rate).toEqual({ mean: 60, low: 60, high: 60 });
});
