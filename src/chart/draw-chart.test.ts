import { Resvg } from '@resvg/resvg-js';
import { describe, expect, test } from 'vitest';
import { type ChartPlan, planChart } from './chart-plan.js';
import { drawChart } from './draw-chart.js';

function plan(count: number): ChartPlan {
  return planChart({
    readings: Array.from({ length: count }, (_, index) => ({
      time: Date.UTC(2026, 7, 19) + index * 24 * 60 * 60 * 1000,
      offset: 0,
      systolic: 110 + ((index * 7919) % 31),
      diastolic: 70 + ((index * 104729) % 17),
      heart_rate: 60 + (index % 13),
    })),
    own: { systolic: 118, diastolic: 76, heart_rate: 64 },
    cohort: { systolic: 121, diastolic: 75, heart_rate: 66 },
  });
}

/** How many pixels of a part of the picture are not white. */
function inkIn(
  png: Uint8Array,
  box: { x: number; y: number; width: number; height: number },
): number {
  const href = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
  const { x, y, width, height } = box;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}"><image href="${href}" width="900" height="500"/></svg>`;
  const { pixels } = new Resvg(svg).render();
  let ink = 0;
  for (let at = 0; at < pixels.length; at += 4) if ((pixels[at] ?? 255) < 200) ink++;
  return ink;
}

describe('The picture', () => {
  test.each([0, 1, 2, 30, 3000])('of %i readings is a PNG of 1350 by 750 pixels', async (count) => {
    const png = await drawChart(plan(count));
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1A\n');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1350, 750]);
  });

  test('has its text although no system font is ever loaded', async () => {
    const png = await drawChart(plan(30));
    const title = { x: 15, y: 10, width: 300, height: 23 };
    const axisName = { x: 15, y: 70, width: 300, height: 15 };
    const cohortLabels = { x: 56, y: 110, width: 98, height: 330 };
    const ownLabels = { x: 781, y: 110, width: 98, height: 330 };
    const axisNumbers = { x: 18, y: 110, width: 30, height: 330 };
    const dates = { x: 180, y: 445, width: 570, height: 35 };
    for (const box of [title, axisName, cohortLabels, ownLabels, axisNumbers, dates]) {
      expect(inkIn(png, box)).toBeGreaterThan(200);
    }
    expect(inkIn(png, { x: 0, y: 0, width: 900, height: 10 })).toBe(0);
  });

  test('stays below 140 kilobytes however many readings there are, and a usual one near sixty', async () => {
    for (const count of [30, 300, 500, 3000]) {
      expect((await drawChart(plan(count))).length).toBeLessThan(140_000);
    }
    expect((await drawChart(plan(30))).length).toBeLessThan(64_000);
  });
});
