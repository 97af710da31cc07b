import { describe, expect, test } from 'vitest';
import type { ChartDocument } from '../../src/documents/chart-document.js';
import { layOutReadings, stretchesOf } from './readings-layout.js';

const day = 86_400_000;
const none = { systolic: null, diastolic: null, heart_rate: null };
const utc = (time: number) => time;

function frameOf(count: number) {
  return {
    schema_version: 1,
    positions: 'time',
    reading_count: count,
    undated_count: 0,
    own: { systolic: 120, diastolic: 80, heart_rate: 79 },
    cohort: none,
  } as const;
}

function readingsChart(count: number): ChartDocument {
  return {
    ...frameOf(count),
    drawn: 'readings',
    points: Array.from({ length: count }, (_, index) => ({
      at: index * day,
      systolic: 120,
      diastolic: 80,
      heart_rate: index === 1 ? null : 60,
    })),
  };
}

describe('the layout of a Pod’s readings', () => {
  test('stands every reading at its time, with some air at both ends', () => {
    const { places, plot } = layOutReadings(readingsChart(3), 1000, utc);
    // 36 for the numbers, 56 for the labels of the own averages.
    expect(plot).toMatchObject({ left: 36, right: 944 });
    // Two days, and two hours of air to either side: 52 hours over 908 pixels.
    const hour = 908 / 52;
    for (const [index, hours] of [2, 26, 50].entries()) {
      expect(places[index]?.x).toBeCloseTo(36 + hours * hour, 6);
    }
    expect(places[0]?.systolic).toEqual({ mean: 120, low: 120, high: 120 });
  });

  test('joins single readings where one lacks the measure', () => {
    const layout = layOutReadings(readingsChart(3), 1000, utc);
    expect(stretchesOf(layout, 'heart_rate').map(({ length }) => length)).toEqual([2]);
  });

  test('leaves the gaps of rolling means, whatever the width', () => {
    const mean = { mean: 120, low: 110, high: 130 };
    const chart: ChartDocument = {
      ...frameOf(3000),
      drawn: 'rolling_mean',
      points: [mean, mean, null, mean].map((systolic, index) => ({
        ...none,
        at: index * day,
        systolic,
      })),
    };
    const layout = layOutReadings(chart, 1000, utc);
    expect(layout.banded).toBe(true);
    expect(stretchesOf(layout, 'systolic').map(({ length }) => length)).toEqual([2, 1]);
    expect(stretchesOf(layout, 'diastolic')).toEqual([]);
    // Nothing is to be read in the gap, and of what nobody recorded.
    expect(layout.stops.map(({ at }) => at / day)).toEqual([0, 1, 3]);
    expect(layout.recorded.map(({ name }) => name)).toEqual(['systolic']);
  });

  test('draws means of more readings than it has pixels, and only then', () => {
    const chart = readingsChart(400);
    expect(layOutReadings(chart, 1000, utc)).toMatchObject({ banded: false, narrow: false });
    const phone = layOutReadings(chart, 330, utc);
    expect(phone).toMatchObject({ banded: true, narrow: true });
    expect(phone.places).toHaveLength(241);
    expect(phone.places[120]?.heart_rate).toEqual({ mean: 60, low: 60, high: 60 });
  });

  test('pushes the labels of close averages apart, and leaves the others at their line', () => {
    const { own } = layOutReadings(readingsChart(3), 1000, utc);
    const [systolic, diastolic, heartRate] = own;
    expect(systolic?.labelY).toBe(systolic?.y);
    expect((heartRate?.labelY ?? 0) - (diastolic?.labelY ?? 0)).toBeCloseTo(16, 6);
  });

  test('numbers readings that have no time', () => {
    const points = [1, 2, 3].map((at) => ({ ...none, at, systolic: 120, diastolic: 80 }));
    const { axis, x, places } = layOutReadings(
      { ...frameOf(3), positions: 'order', drawn: 'readings', points },
      1000,
      utc,
    );
    expect(axis).toMatchObject({ min: 0, max: 4, name: 'Number of the reading' });
    expect(axis.ticks.map(({ label }) => label)).toEqual(['1', '2', '3']);
    expect(places[1]?.x).toBe(x(2));
  });

  test('ticks stand at the days of the reader, not of Greenwich', () => {
    const twoHoursEast = (time: number) => time + 2 * 3_600_000;
    const { axis, x, places } = layOutReadings(readingsChart(3), 1000, twoHoursEast);
    // 1 January 1970, 00:00 there is two hours before the first reading, at the end of the axis.
    expect(axis.min).toBe(0);
    expect(places[0]?.x).toBe(x(2 * 3_600_000));
  });
});
