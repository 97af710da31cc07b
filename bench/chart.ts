import { planChart } from '../src/chart/chart-plan.js';
import { drawChart } from '../src/chart/draw-chart.js';
import type { Benchmark } from './benchmark.js';
import { median } from './support/statistics.js';
import { short } from './table.js';

const READINGS = 3000;
const ROUNDS = 7;

/** A picture as the caller gets it. */
export const chart: Benchmark = {
  name: 'chart',
  async run() {
    const figures = { systolic: 126, diastolic: 81, heart_rate: 68 };
    const readings = Array.from({ length: READINGS }, (_, index) => ({
      time: Date.UTC(2020, 0, 1) + index * 12 * 3_600_000,
      offset: 0,
      systolic: 110 + ((index * 7) % 40),
      diastolic: 70 + ((index * 5) % 25),
      heart_rate: 55 + ((index * 3) % 35),
    }));
    const input = { readings, own: figures, cohort: figures };
    const milliseconds: number[] = [];
    let size = 0;
    const start = performance.now();
    await drawChart(planChart(input));
    const cold = performance.now() - start;
    for (let round = 0; round < ROUNDS; round += 1) {
      const began = performance.now();
      size = (await drawChart(planChart(input))).length;
      milliseconds.push(performance.now() - began);
    }
    return [
      {
        what: `chart with ${READINGS} readings`,
        measured: median(milliseconds),
        unit: 'ms',
        target: { most: 250 },
        details: `median of ${ROUNDS}; the first ${short(cold)} ms; ${short(size / 1024)} kB`,
      },
    ];
  },
};
