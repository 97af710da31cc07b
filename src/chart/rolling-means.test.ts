import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rollingMeans } from './rolling-means.js';

type Point = readonly [at: number, value: number];

/** The means of one measure, as the stretches between its gaps. */
function rollingBand(points: readonly Point[], min: number, max: number) {
  const readings = points.map(([at, value]) => {
    return { at, systolic: value, diastolic: value, heart_rate: null };
  });
  const stretches: { position: number; mean: number; low: number; high: number }[][] = [[]];
  for (const { at, systolic } of rollingMeans(readings, min, max)) {
    if (systolic === null) stretches.push([]);
    else stretches.at(-1)?.push({ position: at, ...systolic });
  }
  return stretches.filter(({ length }) => length > 0);
}

test('equal values have that mean, and no width', () => {
  const points = Array.from({ length: 1000 }, (_, at): Point => [at, 70]);
  const [stretch, ...others] = rollingBand(points, 0, 999);
  expect(others).toEqual([]);
  expect(stretch?.length).toBeGreaterThan(200);
  for (const { mean, low, high } of stretch ?? []) expect([mean, low, high]).toEqual([70, 70, 70]);
});

test('values that go up and down have their middle for a mean, and both ends in the band', () => {
  const points = Array.from({ length: 2000 }, (_, at): Point => [at, at % 2 === 0 ? 60 : 80]);
  for (const { mean, low, high } of rollingBand(points, 0, 1999).flat()) {
    expect(mean).toBeCloseTo(70, 0);
    expect([low, high]).toEqual([60, 80]);
  }
});

test('a stretch without readings is a gap', () => {
  const points = Array.from({ length: 1000 }, (_, at): Point => [at < 500 ? at : at + 1000, 70]);
  const stretches = rollingBand(points, 0, 1999);
  expect(stretches.length).toBe(2);
  expect(stretches[0]?.at(-1)?.position).toBeLessThan(600);
  expect(stretches[1]?.[0]?.position).toBeGreaterThan(1400);
});

test('no reading is lost, and none is made up', () => {
  const values = fc.array(fc.integer({ min: 40, max: 300 }), { minLength: 2, maxLength: 400 });
  fc.assert(
    fc.property(values, (list) => {
      const points = list.map((value, at): Point => [at, value]);
      const band = rollingBand(points, 0, list.length - 1).flat();
      expect(Math.min(...band.map(({ low }) => low))).toBe(Math.min(...list));
      expect(Math.max(...band.map(({ high }) => high))).toBe(Math.max(...list));
      for (const { mean, low, high } of band) {
        expect(mean).toBeGreaterThanOrEqual(low - 1e-9);
        expect(mean).toBeLessThanOrEqual(high + 1e-9);
      }
    }),
  );
});
