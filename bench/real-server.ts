import type { Benchmark, BenchmarkContext } from './benchmark.js';
import { startPlainLoop } from './support/plain-loop.js';
import { type Cost, startRealServer } from './support/real-server.js';
import { startService } from './support/service.js';
import { mean, median } from './support/statistics.js';
import { type Row, short } from './table.js';

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
    return overBestLoop(await measure(context, 0), {
      what: 'Analyse of 20 Pods × 50 readings, Community Solid Server, over the best plain loop of 4 to 32 GETs at once',
      most: { wallMs: 1.2, cpuMs: 1.2 },
    });
  },
};

/** The same, with the server further away. */
export const networkDelay: Benchmark = {
  name: 'network-delay',
  async run(context) {
    const rounds = await measure(context, 25);
    return [
      ...overBestLoop(rounds, {
        what: 'the same with 25 ms more for each request, over the best plain loop',
        most: { wallMs: 1.1, cpuMs: 1.08 },
      }),
      {
        what: 'the same, times faster than one file after the other',
        measured: 1 / overLoop(rounds, 1),
        unit: '×',
        target: { least: 3 },
        details: `the loop with one GET at a time, ${short(ofLoop(rounds, 1))} ms`,
      },
    ];
  },
};

interface Round {
  analyses: Cost[];
  /** By how many GETs at once. */
  loops: Map<number, Cost>;
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
    const cost = await server.costOf(async () => (await service.analyse(caller)).wallMs);
    say(`analysis ${tell(cost)}`);
    return cost;
  };
  const runLoop = async (atOnce: number) => {
    const cost = await server.costOf(() => loop.run(atOnce));
    say(`loop with ${atOnce} at once ${tell(cost)}`);
    return cost;
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
function overBestLoop(
  rounds: readonly Round[],
  { what, most }: { what: string; most: Cost },
): Row[] {
  const best = AT_ONCE.reduce((one, other) =>
    overLoop(rounds, other) > overLoop(rounds, one) ? other : one,
  );
  const analyses = rounds.flatMap((round) => round.analyses);
  const typical = (key: keyof Cost) => median(analyses.map((cost) => cost[key]));
  const figures = (key: keyof Cost) =>
    `median of ${rounds.length} rounds, each compared within itself; analysis ${short(typical(key))} ms, best loop ${short(ofLoop(rounds, best, key))} ms, with ${best} at once, medians`;
  return [
    {
      what,
      measured: overLoop(rounds, best),
      unit: '',
      target: { most: most.wallMs },
      details: figures('wallMs'),
    },
    {
      what: 'the same: CPU of the storage server',
      measured: overLoop(rounds, best, 'cpuMs'),
      unit: '',
      target: { most: most.cpuMs },
      details: figures('cpuMs'),
    },
  ];
}

/**
 * What is compared was measured within the same minute: a machine that is slower for a quarter of
 * an hour is so for both.
 */
function overLoop(rounds: readonly Round[], atOnce: number, key: keyof Cost = 'wallMs'): number {
  return median(
    rounds.map(
      (round) => mean(round.analyses.map((cost) => cost[key])) / ofLoop([round], atOnce, key),
    ),
  );
}

function ofLoop(rounds: readonly Round[], atOnce: number, key: keyof Cost = 'wallMs'): number {
  return median(rounds.map(({ loops }) => loops.get(atOnce)?.[key] ?? Number.NaN));
}

function tell({ wallMs, cpuMs }: Cost): string {
  return `${short(wallMs)} ms, CPU of the server ${short(cpuMs)} ms`;
}
