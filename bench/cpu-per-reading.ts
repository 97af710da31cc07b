import type { Benchmark } from './benchmark.js';
import { startService } from './support/service.js';
import { median } from './support/statistics.js';
import { startStub } from './support/stub.js';
import { type Row, short } from './table.js';

const ROUNDS = 5;

/** What the compiler has seen before anything is counted, the same for every size. */
const WARM_READINGS = 40_000;

const READINGS_IN_TURN = 20_000;

/**
 * CPU time of the whole process, all threads, for one analysis: chart, documents and publication
 * included, in a service that has been up for a while.
 */
export const cpuPerReading: Benchmark = {
  name: 'cpu-per-reading',
  async run({ quick, say }) {
    const counts = quick ? [200, 400, 1000] : [2_000, 20_000, 50_000];
    const sides = await Promise.all(
      counts.map(async (readings) => {
        const stub = await startStub({ pods: readings / 50, readingsPerPod: 50 });
        const service = await startService(stub.world);
        const [caller] = stub.world.contributors;
        const analyse = () => service.analyse(caller?.webId ?? '');
        const figures = { early: new Array<number>(), warm: new Array<number>() };
        return { readings, stub, service, analyse, ...figures };
      }),
    );
    try {
      for (const { readings, analyse, early } of sides) {
        // The very first opens the share entries.
        while (early.length < 2 || early.length * readings < (quick ? 1 : WARM_READINGS)) {
          early.push((await analyse()).cpuMs / readings);
        }
      }
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const { readings, analyse, warm } of sides) {
          // As many readings of each size, so that a small one is not always the first of a pause.
          const analyses = quick ? 1 : Math.max(1, READINGS_IN_TURN / readings);
          for (let analysis = 0; analysis < analyses; analysis += 1) {
            const { cpuMs, wallMs, peakMemoryMb } = await analyse();
            say(
              `${readings} readings: ${short(cpuMs / readings)} ms CPU each, ${short(wallMs)} ms in all, peak ${short(peakMemoryMb)} MB`,
            );
            warm.push(cpuMs / readings);
          }
        }
      }
    } finally {
      await Promise.all(sides.flatMap(({ stub, service }) => [stub.stop(), service.stop()]));
    }
    const [small, middle, large] = sides.map(({ readings, early, warm }) => ({
      readings,
      ms: median(warm),
      details: `the second analysis after a start ${short(early[1] ?? Number.NaN)} ms`,
    }));
    const range: Row['target'] = { between: [0.85, 1.15] };
    const same = (side: typeof small) => ({
      what: `the same per reading at ${side?.readings} over that at ${middle?.readings}`,
      measured: (side?.ms ?? Number.NaN) / (middle?.ms ?? Number.NaN),
      unit: '',
      target: range,
      details: `${short(side?.ms ?? Number.NaN)} ms; ${side?.details}`,
    });
    return [
      {
        what: `own CPU per reading, stub server, ${middle?.readings} readings, share entries already opened`,
        measured: middle?.ms ?? Number.NaN,
        unit: 'ms',
        target: { most: 0.4 },
        details: `chart and publication included; median of ${ROUNDS} rounds after ${WARM_READINGS} readings, all threads; ${middle?.details}`,
      },
      same(small),
      same(large),
    ];
  },
};
