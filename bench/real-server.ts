import type { Benchmark, BenchmarkContext } from './benchmark.js';
import { runPlainLoop } from './support/plain-loop.js';
import { type Cost, startRealServer } from './support/real-server.js';
import { startService } from './support/service.js';
import { mean, median } from './support/statistics.js';
import { type Row, short } from './table.js';

const AT_ONCE = [4, 8, 16, 32];
const ROUNDS = 5;
/** The server and the service are slower at first. */
const WARM_UPS = 2;

/** An analysis against a plain loop over the same files on the Community Solid Server. */
export const realServer: Benchmark = {
  name: 'real-server',
  run: async (context) => overBestLoop(await measure(context)),
};

interface Round {
  analyses: Cost[];
  /** By how many GETs at once. */
  loops: Map<number, Cost>;
}

async function measure({ quick, say }: BenchmarkContext): Promise<Round[]> {
  const size = quick ? { pods: 4, readingsPerPod: 10 } : { pods: 20, readingsPerPod: 50 };
  const server = await startRealServer(size);
  const service = await startService(server.world);
  const caller = server.world.contributors[0]?.webId ?? '';
  const analyse = async () => {
    const cost = await server.costOf(() => service.analyse(caller));
    say(`analysis ${tell(cost)}`);
    return cost;
  };
  const runLoop = async (atOnce: number) => {
    const cost = await server.costOf(() => runPlainLoop(server.world, atOnce));
    say(`loop with ${atOnce} at once ${tell(cost)}`);
    return cost;
  };
  const all: Round[] = [];
  try {
    for (let warmUp = 0; warmUp < WARM_UPS; warmUp += 1) {
      await runPlainLoop(server.world, 8);
      await service.analyse(caller);
    }
    for (let number = 0; number < ROUNDS; number += 1) {
      const round: Round = { analyses: [], loops: new Map() };
      // Not always in one order, so that nobody always comes first.
      const turns = number % 2 === 0 ? AT_ONCE : AT_ONCE.toReversed();
      for (const [turn, atOnce] of turns.entries()) {
        round.loops.set(atOnce, await runLoop(atOnce));
        if (turn % 2 === 1) round.analyses.push(await analyse());
      }
      all.push(round);
    }
  } finally {
    await service.stop();
    await server.stop();
  }
  return all;
}

/** The best loop is the one that the analyses look worst against. */
function overBestLoop(rounds: readonly Round[]): Row[] {
  const best = AT_ONCE.reduce((one, other) =>
    overLoop(rounds, other, 'wallMs') > overLoop(rounds, one, 'wallMs') ? other : one,
  );
  const analyses = rounds.flatMap((round) => round.analyses);
  const row = (what: string, key: keyof Cost): Row => {
    const own = short(median(analyses.map((cost) => cost[key])));
    const loop = short(ofLoop(rounds, best, key));
    return {
      what,
      measured: overLoop(rounds, best, key),
      unit: '',
      most: 1.2,
      details: `median of ${rounds.length} rounds, each compared within itself; analysis ${own} ms, best loop ${loop} ms, with ${best} at once, medians`,
    };
  };
  return [
    row(
      'Analyse of 20 Pods × 50 readings, Community Solid Server, over the best plain loop of 4 to 32 GETs at once',
      'wallMs',
    ),
    row('the same: CPU of the storage server', 'cpuMs'),
  ];
}

/**
 * What is compared was measured within the same minute: a machine that is slower for a quarter of
 * an hour is so for both.
 */
function overLoop(rounds: readonly Round[], atOnce: number, key: keyof Cost): number {
  return median(
    rounds.map(
      (round) => mean(round.analyses.map((cost) => cost[key])) / ofLoop([round], atOnce, key),
    ),
  );
}

function ofLoop(rounds: readonly Round[], atOnce: number, key: keyof Cost): number {
  return median(rounds.map(({ loops }) => loops.get(atOnce)?.[key] ?? Number.NaN));
}

function tell({ wallMs, cpuMs }: Cost): string {
  return `${short(wallMs)} ms, CPU of the server ${short(cpuMs)} ms`;
}
