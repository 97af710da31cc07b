import type { Benchmark } from './benchmark.js';
import { startService } from './support/service.js';
import { median } from './support/statistics.js';
import { startStub } from './support/stub.js';
import { short } from './table.js';

const ROUNDS = 5;
const READINGS_PER_POD = 50;

/**
 * CPU time of the whole process, all threads, for one analysis: chart, documents and publication
 * included, in a service that has made two analyses before.
 */
export const cpuPerReading: Benchmark = {
  name: 'cpu-per-reading',
  async run({ quick, say }) {
    const readings = quick ? 400 : 20_000;
    const pods = readings / READINGS_PER_POD;
    const stub = await startStub({ pods, readingsPerPod: READINGS_PER_POD });
    const service = await startService(stub.world);
    const caller = stub.world.contributors[0]?.webId ?? '';
    const measured: number[] = [];
    try {
      for (let analysis = -2; analysis < ROUNDS; analysis += 1) {
        const { cpuMs, wallMs } = await service.analyse(caller);
        say(`${short(cpuMs / readings)} ms CPU for each reading, ${short(wallMs)} ms in all`);
        // The very first opens the share entries, and the compiler has not seen the second.
        if (analysis >= 0) measured.push(cpuMs / readings);
      }
    } finally {
      await Promise.all([service.stop(), stub.stop()]);
    }
    return [
      {
        what: `own CPU per reading, stub server, ${readings} readings, share entries already opened`,
        measured: median(measured),
        unit: 'ms',
        target: { most: 0.4 },
        details: `chart and publication included; median of ${ROUNDS} analyses, all threads`,
      },
    ];
  },
};
