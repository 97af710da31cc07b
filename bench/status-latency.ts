import type { WorldSize } from './support/pod-world.js';
import { probeDuring, startBareServer } from './support/probe.js';
import { startService } from './support/service.js';
import { startStub } from './support/start-stub.js';
import { quantile } from './support/statistics.js';
import { type Benchmark, type Row, short } from './table.js';

const ROUNDS = 3;

const scenarios: Readonly<Record<string, WorldSize>> = {
  'analyses of 50,000 readings': { pods: 500, readingsPerPod: 100 },
  'a first inbox of 10,000 entries': { pods: 20, readingsPerPod: 50, otherShares: 9_000 },
  'a file of 4 MB that is nothing but readings': {
    pods: 2,
    readingsPerPod: 5,
    hugeFileBytes: 4_000_000,
  },
  'a chart of 3,000 readings': { pods: 1, readingsPerPod: 3_000 },
};

/**
 * Status and Cancel during an analysis, beside a gRPC server that only answers: both are asked in
 * turns, on the same cores, under the same load.
 */
export const statusLatency: Benchmark = async (say) => {
  const rows: Row[] = [];
  for (const [during, size] of Object.entries(scenarios)) {
    rows.push(...(await measure(during, size, say)));
  }
  return rows;
};

async function measure(
  during: string,
  size: WorldSize,
  say: (text: string) => void,
): Promise<Row[]> {
  await using stub = await startStub(size);
  await using bare = await startBareServer();
  const webId = stub.world.contributors[0]?.webId ?? '';
  const ours: number[] = [];
  const bares: number[] = [];
  // A new service each time, because it opens what is shared only once.
  for (let round = 0; round < ROUNDS; round += 1) {
    await using service = await startService(stub.world);
    const [own = [], other = []] = await probeDuring([service.connection, bare.connection], () =>
      service.analyse(webId),
    );
    ours.push(...own);
    bares.push(...other);
    say(`${during}: longest ${short(quantile(own, 1))} ms, bare ${short(quantile(other, 1))} ms`);
  }
  const p99 = [quantile(ours, 0.99), quantile(bares, 0.99)] as const;
  const longest = [quantile(ours, 1), quantile(bares, 1)] as const;
  return [
    {
      what: `Status and Cancel during ${during}: p99 over that of a bare gRPC server`,
      measured: p99[0] / p99[1],
      most: 2,
      details: `${short(p99[0])} ms and ${short(p99[1])} ms of ${ours.length} calls each`,
    },
    {
      what: 'the same: the longest beyond the longest of the bare server',
      measured: longest[0] - longest[1],
      unit: 'ms',
      most: 50,
      details: `${short(longest[0])} ms and ${short(longest[1])} ms`,
    },
  ];
}
