import type { Benchmark, BenchmarkContext } from './benchmark.js';
import { startService } from './support/service.js';
import { median } from './support/statistics.js';
import { type Counted, startStub } from './support/stub.js';

/** What the server's own log says of a run. */
export const requests: Benchmark = {
  name: 'requests',
  async run(context) {
    const sizes = [
      { pods: 2, readingsPerPod: 1 },
      { pods: 2, readingsPerPod: 200 },
      { pods: 50, readingsPerPod: 4 },
    ];
    const runs: CountedRun[] = [];
    for (const size of sizes) runs.push(...(await countRuns(context, size)));
    const others = runs.map(besidesFiles);
    const perFile = runs.map(({ files, fileRequests, expected }) => ({
      asked: files / expected,
      times: fileRequests / expected,
    }));
    const [example] = runs;
    const roundTrips = await countRoundTrips();
    const further = await countForFurtherCallers(context);
    return [
      {
        what: 'requests for each shared file in each run',
        measured: Math.max(...perFile.map(({ times }) => times)),
        unit: '',
        most: 1,
        details: `every file in every one of ${runs.length} runs: ${perFile.every(({ asked }) => asked === 1) ? 'yes' : 'no'}`,
      },
      {
        what: 'requests besides those for the files: most less least over Pods, readings and earlier runs',
        measured: Math.max(...others) - Math.min(...others),
        unit: '',
        most: 0,
        details: `${Math.max(...others)} in a run: ${describe(example)}`,
      },
      {
        what: 'requests besides those for the files, for each further caller of a turn',
        measured: further.each,
        unit: '',
        most: 7,
        details: `${further.together} for ${further.callers} callers together`,
      },
      {
        what: 'round trips of an analysis, one after the other',
        measured: roundTrips,
        unit: '',
        most: 12,
        details:
          'time with 200 ms more for each request, less the time without, in units of 200 ms',
      },
    ];
  },
};

type CountedRun = Counted & { expected: number };

/** The first run makes keys, and its successors find them; it is not counted. */
async function countRuns(
  { say }: BenchmarkContext,
  size: { pods: number; readingsPerPod: number },
): Promise<CountedRun[]> {
  const stub = await startStub(size);
  const service = await startService(stub.world);
  const caller = stub.world.contributors[0]?.webId ?? '';
  const runs: CountedRun[] = [];
  try {
    for (let run = 0; run < 4; run += 1) {
      await service.analyse(caller);
      const counted = await stub.count();
      if (run > 0) runs.push({ ...counted, expected: size.pods * size.readingsPerPod });
      say(describe(counted));
    }
  } finally {
    await service.stop();
    await stub.stop();
  }
  return runs;
}

/** The document of the cohort is closed and opened for others than the last readers. */
const OTHER_READERS = 2;

/** Of callers at once the first has a turn alone, and all others share the next. */
async function countForFurtherCallers({ say }: BenchmarkContext) {
  const stub = await startStub({ pods: 9, readingsPerPod: 2 });
  const service = await startService(stub.world);
  const webIds = stub.world.contributors.map(({ webId }) => webId);
  try {
    // The first time makes keys and access lists.
    await service.analyse(...webIds);
    const counts: number[] = [];
    for (let run = 0; run < 3; run += 1) {
      await service.analyse(...webIds.slice(0, 1));
      await stub.count();
      await service.analyse(...webIds.slice(0, 1));
      const alone = besidesFiles(await stub.count());
      await service.analyse(...webIds);
      counts.push(besidesFiles(await stub.count()) - 2 * alone - OTHER_READERS);
      say(`alone ${alone}, further ${counts.at(-1)}`);
    }
    const callers = webIds.length - 1;
    return { callers, together: median(counts), each: median(counts) / (callers - 1) };
  } finally {
    await service.stop();
    await stub.stop();
  }
}

function besidesFiles({ requests, fileRequests }: Counted): number {
  return Object.values(requests).reduce((sum, count) => sum + count, 0) - fileRequests;
}

function describe(counted: Counted | undefined): string {
  if (counted === undefined) return '';
  const { fileRequests, requests } = counted;
  const methods = Object.entries(requests).map(
    ([method, count]) => `${method === 'GET' ? count - fileRequests : count} ${method}`,
  );
  return methods.join(', ');
}

/** Of an analysis of a single file: whatever can go side by side does. */
async function countRoundTrips(): Promise<number> {
  const delayMs = 200;
  const size = { pods: 1, readingsPerPod: 1 };
  const sides = await Promise.all(
    [0, delayMs].map(async (ms) => {
      const stub = await startStub(size, ms);
      const service = await startService(stub.world);
      const caller = stub.world.contributors[0]?.webId ?? '';
      return { stub, service, caller };
    }),
  );
  const extra: number[] = [];
  try {
    for (let run = 0; run < 6; run += 1) {
      const wallMs: number[] = [];
      for (const { service, caller } of sides) {
        wallMs.push(await service.analyse(caller));
      }
      const [near = 0, far = 0] = wallMs;
      if (run > 0) extra.push((far - near) / delayMs);
    }
  } finally {
    await Promise.all(sides.flatMap(({ stub, service }) => [stub.stop(), service.stop()]));
  }
  return Math.round(median(extra));
}
