import type { Benchmark, BenchmarkContext } from './benchmark.js';
import { startPlainLoop } from './support/plain-loop.js';
import { startRealServer } from './support/real-server.js';
import { startService } from './support/service.js';
import { mean, median } from './support/statistics.js';
import { short } from './table.js';

const AT_ONCE = [4, 8, 16, 32];
const ROUNDS = 5;
/** The server and the service are slower at first. */
const WARM_UPS = 2;

/**
 * An analysis against a plain loop over the same files on the Community Solid Server.
 */
export const realServer: Benchmark = {
  name: 'real-server',
  async run(context) {
    const { ratio, details } = overBestLoop(await measure(context, 0));
    return [
      {
        what: 'Analyse of 20 Pods × 50 readings, Community Solid Server, over the best plain loop of 4 to 32 GETs at once',
        measured: ratio,
        unit: '',
        target: { most: 1.2 },
        details,
      },
    ];
  },
};

/** The same, with the server further away. */
export const networkDelay: Benchmark = {
  name: 'network-delay',
  async run(context) {
    const rounds = await measure(context, 25);
    const { ratio, details } = overBestLoop(rounds);
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
        measured: 1 / overLoop(rounds, 1),
        unit: '×',
        target: { least: 3 },
        details: `the loop with one GET at a time, ${short(timeOfLoop(rounds, 1))} ms`,
      },
    ];
  },
};

interface Round {
  analyses: number[];
  /** By how many GETs at once. */
  loops: Map<number, number>;
}

async function measure(
  { quick, rounds, say }: BenchmarkContext,
  delayMs: number,
): Promise<Round[]> {
  const size = quick ? { pods: 4, readingsPerPod: 10 } : { pods: 20, readingsPerPod: 50 };
  const server = await startRealServer(size, delayMs);
  const loop = await startPlainLoop(server.world);
  const service = await startService(server.world);
  const caller = server.world.contributors[0]?.webId ?? '';
  const analyse = async () => {
    const { wallMs } = await service.analyse(caller);
    say(`analysis ${short(wallMs)} ms`);
    return wallMs;
  };
  const runLoop = async (atOnce: number) => {
    const ms = await loop.run(atOnce);
    say(`loop with ${atOnce} at once ${short(ms)} ms`);
    return ms;
  };
  const all: Round[] = [];
  try {
    for (let warmUp = 0; warmUp < WARM_UPS; warmUp += 1) {
      await loop.run(8);
      await service.analyse(caller);
    }
    for (let number = 0; number < (rounds ?? ROUNDS); number += 1) {
      const round: Round = { analyses: [], loops: new Map() };
      // Not always in one order, so that nobody always comes first.
      const turns = number % 2 === 0 ? AT_ONCE : AT_ONCE.toReversed();
      for (const [turn, atOnce] of turns.entries()) {
        round.loops.set(atOnce, await runLoop(atOnce));
        if (turn % 2 === 1) round.analyses.push(await analyse());
      }
      if (delayMs > 0) round.loops.set(1, await runLoop(1));
      all.push(round);
    }
  } finally {
    await Promise.all([loop.stop(), service.stop()]);
    await server.stop();
  }
  return all;
}

/** The best loop is the one that the analyses look worst against. */
function overBestLoop(rounds: readonly Round[]): { ratio: number; details: string } {
  const best = AT_ONCE.reduce((one, other) =>
    overLoop(rounds, other) > overLoop(rounds, one) ? other : one,
  );
  const analysisMs = median(rounds.flatMap(({ analyses }) => analyses));
  return {
    ratio: overLoop(rounds, best),
    details: `median of ${rounds.length} rounds, each compared within itself; analysis ${short(analysisMs)} ms, best loop ${short(timeOfLoop(rounds, best))} ms, with ${best} at once, medians`,
  };
}

/**
 * What is compared was measured within the same minute: a machine that is slower for a quarter of
 * an hour is so for both.
 */
function overLoop(rounds: readonly Round[], atOnce: number): number {
  return median(rounds.map((round) => mean(round.analyses) / timeOfLoop([round], atOnce)));
}

function timeOfLoop(rounds: readonly Round[], atOnce: number): number {
  return median(rounds.map(({ loops }) => loops.get(atOnce) ?? Number.NaN));
}
