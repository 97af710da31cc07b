import { Resvg } from '@resvg/resvg-js';
import { describe, expect, test } from 'vitest';
import { type ChartPlan, planChart } from './chart-plan.js';
import { renderChart, renderSvg } from './render-chart.js';

function plan(count: number): ChartPlan {
  return planChart({
    readings: Array.from({ length: count }, (_, index) => ({
      time: Date.UTC(2026, 7, 19) + index * 24 * 60 * 60 * 1000,
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
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}"><image href="${href}" width="1800" height="1000"/></svg>`;
  const { pixels } = new Resvg(svg).render();
  let ink = 0;
  for (let at = 0; at < pixels.length; at += 4) if ((pixels[at] ?? 255) < 200) ink++;
  return ink;
}

describe('The picture', () => {
  test.each([0, 1, 2, 30, 3000])('of %i readings is a PNG of 1350 by 750 pixels', (count) => {
    const png = Buffer.from(renderChart(plan(count)));
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1A\n');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1350, 750]);
  });

  test('has its text although no system font is ever loaded', () => {
    const png = renderChart(plan(30));
    const title = { x: 30, y: 20, width: 600, height: 45 };
    const cohortLabels = { x: 150, y: 200, width: 185, height: 680 };
    const ownLabels = { x: 1565, y: 200, width: 195, height: 680 };
    const axisNumbers = { x: 75, y: 180, width: 55, height: 720 };
    const dates = { x: 400, y: 890, width: 1100, height: 60 };
    for (const box of [title, cohortLabels, ownLabels, axisNumbers, dates]) {
      expect(inkIn(png, box)).toBeGreaterThan(400);
    }
    expect(inkIn(png, { x: 0, y: 0, width: 1800, height: 20 })).toBe(0);
  });

  test('draws a line for every reference, three dashed and three dotted', () => {
    const svg = renderSvg(plan(30));
    const across = [
      ...svg.matchAll(/<path d="M[\d.]+ ([\d.]+)L[\d.]+ \1"[^>]*stroke-dasharray="(\d+)/g),
    ];
    const long = across.filter(([path]) => /M38\d[\d.]* [\d.]+L151\d/.test(path));
    expect(long.filter(([, , dash]) => dash === '12').length).toBe(3);
    expect(long.filter(([, , dash]) => dash === '3').length).toBe(3);
  });

  test('takes a result no more than some sixty kilobytes, however many readings there are', () => {
    for (const count of [30, 300, 3000]) {
      expect(renderChart(plan(count)).length).toBeLessThan(90_000);
    }
    expect(renderChart(plan(30)).length).toBeLessThan(64_000);
  });

  test('says nothing but names, numbers, units and dates', () => {
    const words = [...renderSvg(plan(30)).matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
    const allowed =
      /^(Blood pressure.*|Systolic.*|Diastolic.*|Heart rate.*|Own average|Cohort average|30 readings, .*|\d+( [A-Z][a-z]{2})?)$/;
    for (const word of words) expect(word).toMatch(allowed);
  });
});
