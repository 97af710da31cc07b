import { z } from 'zod';
import type { Benchmark } from './benchmark.js';
import { startChild } from './support/child.js';
import { median } from './support/statistics.js';
import { short } from './table.js';

const ROUNDS = 5;

const answer = z.object({
  bareMs: z.number(),
  firstMs: z.number(),
  nextMs: z.number(),
  changedMs: z.number(),
  addedMs: z.number(),
});

/** Two sealed values of each entry are opened, its address and its key. */
export const fullInbox: Benchmark = {
  name: 'full-inbox',
  async run({ quick, say }) {
    const entries = quick ? 500 : 10_000;
    const child = startChild('full-inbox');
    const rounds: z.infer<typeof answer>[] = [];
    try {
      await child.ask('start', { entries }, z.object({}));
      for (let round = 0; round <= ROUNDS; round += 1) {
        const figures = await child.ask('measure', {}, answer);
        const { bareMs, firstMs, nextMs } = figures;
        say(`bare ${short(bareMs)} ms, first ${short(firstMs)} ms, next ${short(nextMs)} ms`);
        if (round > 0) rounds.push(figures);
      }
    } finally {
      await child.stop();
    }
    const of = (pick: (figures: z.infer<typeof answer>) => number) => median(rounds.map(pick));
    return [
      {
        what: `inbox of ${entries} entries, opened for the first time, over as many bare RSA operations on all cores`,
        measured: of(({ firstMs, bareMs }) => firstMs / bareMs),
        unit: '',
        target: { most: 1.4 },
        details: `${short(of(({ firstMs }) => firstMs))} ms and ${short(of(({ bareMs }) => bareMs))} ms for ${2 * entries} operations, medians of ${ROUNDS}`,
      },
      {
        what: 'the same at the next analysis, in parts of the first',
        measured: of(({ nextMs, firstMs }) => (100 * nextMs) / firstMs),
        unit: '%',
        target: { most: 5 },
        details: `${short(of(({ nextMs }) => nextMs))} ms`,
      },
      {
        what: 'the same when the inbox has changed: with one more entry, in parts of the first',
        measured: of(({ addedMs, firstMs }) => (100 * addedMs) / firstMs),
        unit: '%',
        target: 'none',
        details: `${short(of(({ addedMs }) => addedMs))} ms; ${short(of(({ changedMs }) => changedMs))} ms with nothing but a line break more`,
      },
    ];
  },
};
