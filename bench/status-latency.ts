import type { Benchmark } from './benchmark.js';
import { startService } from './support/service.js';
import { startStub } from './support/stub.js';
import { Watch } from './support/watch.js';
import { short } from './table.js';

const SERVICES = 5;

/** Status and Cancel while a service opens a full inbox for the first time and reads what it names. */
export const statusLatency: Benchmark = {
  name: 'status-latency',
  async run({ quick, say }) {
    const pods = quick ? 4 : 200;
    const files = pods * 50;
    const stub = await startStub({ pods, readingsPerPod: 50 });
    const watch = new Watch(`an analysis of ${files} files with an inbox of ${files} entries`);
    try {
      for (let started = 0; started < SERVICES; started += 1) {
        const service = await startService(stub.world, watch);
        try {
          const webId = stub.world.contributors[0]?.webId ?? '';
          const { wallMs } = await service.analyse(webId, 'the first analysis after a start');
          say(`${short(wallMs)} ms`);
        } finally {
          await service.stop();
        }
      }
    } finally {
      await stub.stop();
    }
    return watch.rows();
  },
};
