import type { Benchmark } from './benchmark.js';
import { startService } from './support/service.js';
import { startStub } from './support/stub.js';
import { short } from './table.js';

/** The largest resident memory of a service that starts, and analyses three times. */
export const peakMemory: Benchmark = {
  name: 'peak-memory',
  async run({ quick, say }) {
    const size = { pods: quick ? 5 : 500, readingsPerPod: 100 };
    const stub = await startStub(size);
    const service = await startService(stub.world);
    const caller = stub.world.contributors[0]?.webId ?? '';
    const peaks: number[] = [];
    try {
      for (let run = 0; run < 3; run += 1) {
        await service.analyse(caller);
        peaks.push(await service.peakMb());
        say(`peak ${short(peaks.at(-1) ?? 0)} MB`);
      }
      return [
        {
          what: `peak memory, ${size.pods * size.readingsPerPod} readings in ${size.pods} Pods with a share entry each`,
          measured: Math.max(...peaks),
          unit: 'MB',
          most: 420,
          details: `after each of three analyses: ${peaks.map(short).join(', ')} MB resident`,
        },
      ];
    } finally {
      await Promise.all([service.stop(), stub.stop()]);
    }
  },
};
