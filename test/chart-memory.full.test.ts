import { expect, test } from 'vitest';
import { createChartRenderer } from '../src/chart/chart-renderer.js';

/** The picture library is no JavaScript: what it forgets, no collector finds. */
test('a hundred charts hold on to no memory', async () => {
  const renderer = createChartRenderer();
  const average = { systolic: 120, diastolic: 80, heart_rate: 60 };
  const input = { readings: [{ time: 0, ...average }], own: average, cohort: average };
  const drawSome = async (count: number) => {
    for (let drawn = 0; drawn < count; drawn += 1) await renderer.draw(input);
    return process.memoryUsage().rss / 1024 / 1024;
  };
  const before = await drawSome(30);
  const after = await drawSome(70);
  // A chart takes seven while it is drawn.
  expect(after - before).toBeLessThan(200);
  await renderer.close();
});
