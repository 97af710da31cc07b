import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { planChart } from './chart-plan.js';
import { drawChart } from './draw-chart.js';

/** A picture takes eight megabytes outside the heap while it is drawn. */
const PICTURES = 30;
const MOST_MORE_BYTES = 100 * 2 ** 20;

test('dozens of charts take no more memory than a few', async () => {
  const figures = { systolic: 120, diastolic: 80, heart_rate: 60 };
  const readings = [{ time: 0, offset: 0, systolic: 120, diastolic: 80, heart_rate: 60 }];
  const draw = async () => {
    await drawChart(planChart({ readings, own: figures, cohort: figures }));
    await setImmediate();
  };
  for (let picture = 0; picture < 3; picture += 1) await draw();
  const before = process.memoryUsage.rss();
  for (let picture = 0; picture < PICTURES; picture += 1) await draw();
  expect(process.memoryUsage.rss() - before).toBeLessThan(MOST_MORE_BYTES);
});
