import type { Reading } from '../../src/analysis/reading.js';
import type { ChartFigures } from '../../src/chart/chart-figures.js';
import { type ChartInput, planChart } from '../../src/chart/chart-plan.js';

const day = 86_400_000;
const start = Date.UTC(2026, 0, 1, 7, 30);

/** One a day from 1 January 2026, 07:30; those of one number are always the same. */
export function sampleReadings(count: number): Reading[] {
  return Array.from({ length: count }, (_, index) => ({
    time: start + index * day,
    offset: 0,
    systolic: 118 + ((index * 7) % 13),
    diastolic: 75 + ((index * 5) % 9),
    heart_rate: 62 + ((index * 3) % 11),
  }));
}

/** By its signature a picture. */
export function samplePicture(content = ''): Buffer {
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(content)]);
}

/** What the store holds of a chart of so many readings. */
export function sampleChart(count: number, change: Partial<ChartInput> = {}): ChartFigures {
  return planChart({
    readings: sampleReadings(count),
    own: { systolic: 124.25, diastolic: 79, heart_rate: 67 },
    cohort: { systolic: 121.5, diastolic: 80.5, heart_rate: null },
    ...change,
  }).figures;
}
