import { startService } from './support/service.js';
import { type Counted, startStub } from './support/start-stub.js';
import type { Benchmark } from './table.js';

const sizes = [
  { pods: 2, readingsPerPod: 1 },
  { pods: 2, readingsPerPod: 200 },
  { pods: 50, readingsPerPod: 4 },
];
/** Longer than anything that the service does between two requests. */
const DELAY_MS = 200;
/** Of callers at once the first has a turn alone, and all others share the next: one is its first caller. */
const CALLERS = 9;
const FURTHER = CALLERS - 2;
/** The document of the cohort is closed and opened for others than the last readers. */
const OTHER_READERS = 2;

/** What the server's own log says of a run. */
export const requests: Benchmark = async (say) => {
  const runs: (Counted & { expected: number })[] = [];
  for (const size of sizes) {
    const expected = size.pods * size.readingsPerPod;
    await counting(size, async (analyse) => {
      // The document of the cohort has other readers than before.
      await analyse(1);
      for (let run = 0; run < 3; run += 1) {
        const counted = await analyse(1);
        runs.push({ ...counted, expected });
        say(describe(counted));
      }
    });
  }
  const others = runs.map(besidesFiles);
  const isEachAsked = runs.every(({ files, expected }) => new Set(files).size === expected);
  const further = await counting({ pods: CALLERS, readingsPerPod: 2 }, async (analyse) => {
    await analyse(1);
    const alone = besidesFiles(await analyse(1));
    return besidesFiles(await analyse(CALLERS)) - 2 * alone - OTHER_READERS;
  });
  const roundTrips = await counting({ pods: 1, readingsPerPod: 1, delayMs: DELAY_MS }, (analyse) =>
    analyse(1),
  );
  return [
    {
      what: 'requests for each shared file in each run',
      measured: Math.max(...runs.map(({ files, expected }) => files.length / expected)),
      most: 1,
      details: `every file in every one of ${runs.length} runs: ${isEachAsked ? 'yes' : 'no'}`,
    },
    {
      what: 'requests besides those for the files: most less least over Pods, readings and earlier runs',
      measured: Math.max(...others) - Math.min(...others),
      most: 0,
      details: `${Math.max(...others)} in a run: ${describe(runs[0])}`,
    },
    {
      what: 'requests besides those for the files, for each further caller of a turn',
      measured: further / FURTHER,
      most: 7,
      details: `${further} for ${CALLERS - 1} callers together`,
    },
    {
      what: 'round trips of an analysis, one after the other',
      measured: roundTrips.roundTrips,
      most: 12,
      details: `requests that began when the one before was answered, after ${DELAY_MS} ms`,
    },
  ];
};

/** Asks for that many callers at once; returns what the server was asked for meanwhile. */
type Analyse = (callers: number) => Promise<Counted>;

/** The first analysis makes keys and rules of access, which later ones find; it is not counted. */
async function counting<T>(
  size: Parameters<typeof startStub>[0],
  work: (analyse: Analyse) => Promise<T>,
): Promise<T> {
  await using stub = await startStub(size);
  await using service = await startService(stub.world);
  const webIds = stub.world.contributors.map(({ webId }) => webId);
  await service.analyse(...webIds);
  return await work(async (callers) => {
    await stub.count();
    await service.analyse(...webIds.slice(0, callers));
    return await stub.count();
  });
}

function besidesFiles({ requests, files }: Counted): number {
  return Object.values(requests).reduce((sum, count) => sum + count, 0) - files.length;
}

function describe(counted: Counted | undefined): string {
  const { requests = {}, files = [] } = counted ?? {};
  return Object.entries(requests)
    .map(([method, count]) => `${method === 'GET' ? count - files.length : count} ${method}`)
    .join(', ');
}
