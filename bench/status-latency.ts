import type { Benchmark } from './benchmark.js';
import type { WorldSize } from './support/pod-world.js';
import { startService } from './support/service.js';
import { startStub } from './support/stub.js';
import { Watch } from './support/watch.js';
import { type Row, short } from './table.js';

const SERVICES = 3;
const ANALYSES = 4;

/** Status and Cancel while a full inbox is opened that is new to the service, and what it names is read. */
export const statusLatency: Benchmark = {
  name: 'status-latency',
  async run({ quick, say }) {
    const sizes: WorldSize[] = quick
      ? [{ pods: 2, readingsPerPod: 50, otherShares: 100 }]
      : [
          { pods: 20, readingsPerPod: 50, otherShares: 9_000 },
          { pods: 200, readingsPerPod: 50 },
        ];
    const rows: Row[] = [];
    for (const size of sizes) rows.push(...(await measure(size, say)));
    return rows;
  },
};

async function measure(size: WorldSize, say: (text: string) => void): Promise<Row[]> {
  const files = size.pods * size.readingsPerPod;
  const what = `an analysis of ${files} files with an inbox of ${files + (size.otherShares ?? 0)} entries`;
  const stub = await startStub(size);
  const watch = new Watch(what);
  try {
    for (let started = 0; started < SERVICES; started += 1) {
      const service = await startService(stub.world, watch);
      try {
        const webId = stub.world.contributors[0]?.webId ?? '';
        for (let analysis = 0; analysis < ANALYSES; analysis += 1) {
          if (analysis > 0) await stub.shareAgain();
          const during = analysis === 0 ? 'the first analysis after a start' : 'a later analysis';
          const { wallMs } = await service.analyse(webId, during);
          say(`${what}: ${short(wallMs)} ms, ${during}`);
        }
      } finally {
        await service.stop();
      }
    }
  } finally {
    await stub.stop();
  }
  return watch.rows();
}
