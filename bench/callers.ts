import { type Cost, startRealServer, tell } from './support/real-server.js';
import { startService } from './support/service.js';
import { median } from './support/statistics.js';
import type { Benchmark } from './table.js';

const ROUNDS = 5;
const size = { pods: 16, readingsPerPod: 40 };

/** What an analysis costs when many ask for one at the same moment. */
export const callers: Benchmark = async (say) => {
  const [alone, together]: [Cost[], Cost[]] = [[], []];
  await using server = await startRealServer(size);
  await using service = await startService(server.world);
  const everybody = server.world.contributors.map(({ webId }) => webId);
  const ask = (webIds: readonly string[]) => server.costOf(() => service.analyse(...webIds));
  // The first analysis for a caller makes the keys of their documents.
  await service.analyse(...everybody);
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await ask(everybody.slice(round % size.pods).slice(0, 1)));
    together.push(await ask(everybody));
    say(`alone ${tell(alone.slice(-1))}, together ${tell(together.slice(-1))}`);
  }
  const ratio = (key: keyof Cost) =>
    median(together.map((cost, round) => cost[key] / (alone[round]?.[key] ?? Number.NaN)));
  const details = `median of ${ROUNDS} rounds; alone ${tell(alone)}, together ${tell(together)}`;
  const who = `${size.pods} callers at once, ${size.pods} Pods × ${size.readingsPerPod} readings, Community Solid Server`;
  return [
    {
      what: `${who}: time until the last reply over one analysis alone`,
      measured: ratio('wallMs'),
      most: 2.15,
      details,
    },
    {
      what: 'the same: CPU of the storage server',
      measured: ratio('cpuMs'),
      most: 2.1,
      details: 'in the same rounds',
    },
  ];
};
