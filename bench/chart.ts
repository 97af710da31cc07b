import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createChartRenderer } from '../src/chart/chart-renderer.js';
import type { Benchmark } from './benchmark.js';
import { median } from './support/statistics.js';
import { short } from './table.js';

const READINGS = 3000;
const ROUNDS = 7;

/** A picture as the caller gets it. */
export const chart: Benchmark = {
  name: 'chart',
  async run({ watch }) {
    const renderer = createChartRenderer();
    const figures = { systolic: 126, diastolic: 81, heart_rate: 68 };
    const readings = Array.from({ length: READINGS }, (_, index) => ({
      time: Date.UTC(2020, 0, 1) + index * 12 * 3_600_000,
      systolic: 110 + ((index * 7) % 40),
      diastolic: 70 + ((index * 5) % 25),
      heart_rate: 55 + ((index * 3) % 35),
    }));
    const delays = monitorEventLoopDelay({ resolution: 1 });
    const milliseconds: number[] = [];
    let size = 0;
    try {
      const start = performance.now();
      await renderer.draw({ readings, own: figures, cohort: figures });
      const cold = performance.now() - start;
      delays.enable();
      for (let round = 0; round < ROUNDS; round += 1) {
        const began = performance.now();
        size = (await renderer.draw({ readings, own: figures, cohort: figures })).length;
        milliseconds.push(performance.now() - began);
      }
      delays.disable();
      watch.blocked('a chart', Math.max(0, delays.max / 1e6 - 1));
      return [
        {
          what: `chart with ${READINGS} readings`,
          measured: median(milliseconds),
          unit: 'ms',
          target: { most: 250 },
          details: `median of ${ROUNDS}; the first ${short(cold)} ms; ${short(size / 1024)} kB; event loop blocked ${short(Math.max(0, delays.max / 1e6 - 1))} ms at most`,
        },
      ];
    } finally {
      await renderer.close();
    }
  },
};
