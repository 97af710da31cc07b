import { expect, test } from 'vitest';
import { createChartRenderer } from './chart-renderer.js';

/** A picture takes eight megabytes outside the heap while it is drawn. */
const PICTURES = 30;
const MOST_MORE_BYTES = 100 * 2 ** 20;

test('dozens of charts take no more memory than a few', async () => {
  const renderer = createChartRenderer();
  const figures = { systolic: 120, diastolic: 80, heart_rate: 60 };
  const draw = (time: number) =>
    renderer.draw({ readings: [{ time, ...figures }], own: figures, cohort: figures });
  try {
    for (let picture = 0; picture < 5; picture += 1) await draw(picture);
    const before = process.memoryUsage.rss();
    for (let picture = 0; picture < PICTURES; picture += 1) await draw(picture);
    expect(process.memoryUsage.rss() - before).toBeLessThan(MOST_MORE_BYTES);
  } finally {
    await renderer.close();
  }
}, 120_000);
