import { runPlainLoop } from './support/plain-loop.js';
import { type Cost, startRealServer, tell } from './support/real-server.js';
import { startService } from './support/service.js';
import { median } from './support/statistics.js';
import type { Benchmark, Row } from './table.js';

const size = { pods: 20, readingsPerPod: 50 };
/** The best has always been one of these. */
const AT_ONCE = [8, 16, 32];
const ROUNDS = 5;
/** The server and the service are slower at first. */
const WARM_UPS = 2;

/**
 * What is compared was measured within the same minute: a machine that is slower for a quarter of an hour is so for
 * both.
 */
interface Round {
  analysis: Cost;
  /** As many as there are in AT_ONCE. */
  loops: Cost[];
}

/** An analysis against a plain loop over the same files on the Community Solid Server. */
export const realServer: Benchmark = async (say) => {
  const rounds: Round[] = [];
  await using server = await startRealServer(size);
  const { world, costOf } = server;
  await using service = await startService(world);
  for (let number = -WARM_UPS; number < ROUNDS; number += 1) {
    const loops: Cost[] = [];
    for (const atOnce of AT_ONCE) {
      loops.push(await costOf(() => runPlainLoop(world, atOnce)));
      say(`loop with ${atOnce} at once: ${tell(loops.slice(-1))}`);
    }
    const caller = world.contributors[0]?.webId ?? '';
    const analysis = await costOf(() => service.analyse(caller));
    say(`analysis: ${tell([analysis])}`);
    if (number >= 0) rounds.push({ analysis, loops });
  }
  return overBestLoop(rounds);
};

/** The best loop is the one that the analyses look worst against. */
function overBestLoop(rounds: readonly Round[]): Row[] {
  const over = (index: number, key: keyof Cost) =>
    median(
      rounds.map(({ analysis, loops }) => analysis[key] / (loops[index]?.[key] ?? Number.NaN)),
    );
  const [best = 0] = [...AT_ONCE.keys()].sort(
    (one, other) => over(other, 'wallMs') - over(one, 'wallMs'),
  );
  const loops = rounds.flatMap((round) => round.loops[best] ?? []);
  const details = `median of ${rounds.length} rounds; analysis ${tell(rounds.map(({ analysis }) => analysis))}, best loop, with ${AT_ONCE[best]} at once, ${tell(loops)}`;
  return [
    {
      what: `Analyse of ${size.pods} Pods × ${size.readingsPerPod} readings, Community Solid Server, over the best plain loop of ${AT_ONCE.join(', ')} GETs at once`,
      measured: over(best, 'wallMs'),
      most: 1.2,
      details,
    },
    {
      what: 'the same: CPU of the storage server',
      measured: over(best, 'cpuMs'),
      most: 1.2,
      details: 'in the same rounds',
    },
  ];
}
