import { startService } from './support/service.js';
import { startStub } from './support/start-stub.js';
import { type Benchmark, short } from './table.js';

const size = { pods: 500, readingsPerPod: 100 };

/** The largest resident memory of a service that starts, and analyses three times. */
export const peakMemory: Benchmark = async (say) => {
  const peaks: number[] = [];
  await using stub = await startStub(size);
  await using service = await startService(stub.world);
  for (let run = 0; run < 3; run += 1) {
    await service.analyse(stub.world.contributors[0]?.webId ?? '');
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
};
