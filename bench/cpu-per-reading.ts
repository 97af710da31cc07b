import type { Benchmark } from './benchmark.js';
import { startService } from './support/service.js';
import { median } from './support/statistics.js';
import { startStub } from './support/stub.js';
import { type Row, short } from './table.js';

const ROUNDS = 5;

/** CPU time of the whole process, all threads, for one analysis; the first is not counted. */
export const cpuPerReading: Benchmark = {
  name: 'cpu-per-reading',
  async run({ quick, watch, say }) {
    const counts = quick ? [200, 400, 1000] : [2_000, 20_000, 50_000];
    const sides = await Promise.all(
      counts.map(async (readings) => {
        const stub = await startStub({ pods: readings / 50, readingsPerPod: 50 });
        const service = await startService(stub.world, watch);
        const [caller] = stub.world.contributors;
        const analyse = () => service.analyse(caller?.webId ?? '', `${readings} readings`);
        return { readings, stub, service, analyse, msPerReading: new Array<number>() };
      }),
    );
    try {
      for (let round = 0; round <= ROUNDS; round += 1) {
        for (const { readings, analyse, msPerReading } of sides) {
          const { cpuMs, wallMs, longestBlockMs, peakMemoryMb } = await analyse();
          say(
            `${readings} readings: ${short(cpuMs / readings)} ms CPU each, ${short(wallMs)} ms in all, block ${short(longestBlockMs)} ms, peak ${short(peakMemoryMb)} MB`,
          );
          if (round > 0) msPerReading.push(cpuMs / readings);
        }
      }
    } finally {
      await Promise.all(sides.flatMap(({ stub, service }) => [stub.stop(), service.stop()]));
    }
    const [small, middle, large] = sides.map(({ msPerReading }) => median(msPerReading));
    const ms = middle ?? Number.NaN;
    const [few, usual, many] = counts;
    const range: Row['target'] = { between: [0.85, 1.15] };
    const same = (what: number | undefined, value: number | undefined) => ({
      what: `the same per reading at ${what} over that at ${usual}`,
      measured: (value ?? Number.NaN) / ms,
      unit: '',
      target: range,
      details: `${short(value ?? Number.NaN)} ms`,
    });
    return [
      {
        what: `own CPU per reading, stub server, ${usual} readings, share entries already opened`,
        measured: ms,
        unit: 'ms',
        target: { most: 0.35 },
        details: `median of ${ROUNDS} runs, all threads`,
      },
      same(few, small),
      same(many, large),
    ];
  },
};
