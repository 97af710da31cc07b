import type { Benchmark, BenchmarkContext } from './benchmark.js';
import { startPlainLoop } from './support/plain-loop.js';
import { startRealServer } from './support/real-server.js';
import { startService } from './support/service.js';
import { median } from './support/statistics.js';
import { short } from './table.js';

const AT_ONCE = [4, 8, 16, 32];

/**
 * An analysis against a plain loop over the same files on the Community Solid Server. Status and
 * Cancel are called as often during the one as during the other.
 */
export const realServer: Benchmark = {
  name: 'real-server',
  async run(context) {
    const { ratio, details } = await compare(context, { delayMs: 0, rounds: context.rounds ?? 5 });
    return [
      {
        what: 'Analyse of 20 Pods × 50 readings, Community Solid Server, over the best plain loop of 4 to 32 GETs at once',
        measured: ratio,
        unit: '',
        target: { most: 1.15 },
        details,
      },
    ];
  },
};

/** The same, with the server further away. */
export const networkDelay: Benchmark = {
  name: 'network-delay',
  async run(context) {
    const { ratio, oneByOne, details } = await compare(context, {
      delayMs: 25,
      rounds: context.rounds ?? 3,
    });
    return [
      {
        what: 'the same with 25 ms more for each request, over the best plain loop',
        measured: ratio,
        unit: '',
        target: { most: 1.2 },
        details,
      },
      {
        what: 'the same, times faster than one file after the other',
        measured: oneByOne,
        unit: '×',
        target: { least: 3 },
        details: 'the loop with one GET at a time',
      },
    ];
  },
};

async function compare(
  { quick, watch, say }: BenchmarkContext,
  { delayMs, rounds }: { delayMs: number; rounds: number },
): Promise<{ ratio: number; oneByOne: number; details: string }> {
  const size = quick ? { pods: 4, readingsPerPod: 10 } : { pods: 20, readingsPerPod: 50 };
  const server = await startRealServer(size, delayMs);
  const loop = await startPlainLoop(server.world);
  const service = await startService(server.world, watch);
  const caller = server.world.contributors[0]?.webId ?? '';
  const analyses: number[] = [];
  const singles: number[] = [];
  const loops = AT_ONCE.map((atOnce) => ({ atOnce, ms: new Array<number>() }));
  const analyse = async () => {
    const { wallMs } = await service.analyse(caller, 'an analysis on the real server');
    analyses.push(wallMs);
    say(`analysis ${short(wallMs)} ms`);
  };
  const runLoop = (atOnce: number) => service.probeDuring(() => loop.run(atOnce));
  try {
    await loop.run(8);
    await service.analyse(caller, 'the first analysis on the real server');
    for (let round = 0; round < rounds; round += 1) {
      // Not always in one order, so that nobody always comes first.
      const turns = round % 2 === 0 ? loops : loops.toReversed();
      for (const [turn, { atOnce, ms }] of turns.entries()) {
        ms.push(await runLoop(atOnce));
        say(`loop with ${atOnce} at once ${short(ms.at(-1) ?? Number.NaN)} ms`);
        if (turn % 2 === 1) await analyse();
      }
      if (delayMs > 0) singles.push(await runLoop(1));
    }
  } finally {
    await Promise.all([loop.stop(), service.stop()]);
    await server.stop();
  }
  // The quickest of single loops would be the luckiest one.
  const [best] = loops
    .map(({ atOnce, ms }) => ({ atOnce, ms: median(ms) }))
    .sort((one, other) => one.ms - other.ms);
  const analysisMs = median(analyses);
  const bestMs = best?.ms ?? Number.NaN;
  const single = delayMs === 0 ? '' : `, one by one ${short(median(singles))} ms`;
  return {
    ratio: analysisMs / bestMs,
    oneByOne: median(singles) / analysisMs,
    details: `analysis ${short(analysisMs)} ms, median of ${analyses.length}; best loop ${short(bestMs)} ms, with ${best?.atOnce} at once${single}, medians of ${rounds}`,
  };
}
