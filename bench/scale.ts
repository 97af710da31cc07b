import type { Benchmark, BenchmarkContext } from './benchmark.js';
import { hasRedis, type RedisProcess, startRedis } from './support/redis.js';
import { type Service, type Sharing, startService } from './support/service.js';
import { median } from './support/statistics.js';
import { startStub } from './support/stub.js';
import type { World } from './support/world-answer.js';
import { type Row, short } from './table.js';

const ROUNDS = 3;
const LATENCY_MS = 20;
/** Of a storage server that answers so late, a worker gets 400 files a second. */
const slow = { max_requests: 0, requests_per_worker: 8 };

/** Several workers against one, and one against a service that works alone. */
export const scale: Benchmark = {
  name: 'scale',
  async run({ quick, rounds, say }) {
    if (!hasRedis) {
      say('redis-server is not installed; left out.');
      return [];
    }
    const context = { quick, rounds, say };
    const rows = [await manyWorkers(context), await oneWorker(context)];
    return [...rows, await costOfRedis(context)].flat();
  },
};

/** Of tasks of 100 files, beside what the processes say to each other all the time. */
async function costOfRedis(context: BenchmarkContext): Promise<Row[]> {
  const readings = context.quick ? 2_000 : 20_000;
  const stub = await startStub({ pods: readings / 50, readingsPerPod: 50 });
  const [caller] = stub.world.contributors;
  try {
    return await withWorkers(stub.world, 2, {}, async (service, redis) => {
      const analyse = () => service.analyse(caller?.webId ?? '');
      await analyse();
      const before = await redis.commands();
      const { wallMs } = await analyse();
      const commands = (await redis.commands()) - before;
      return [
        {
          what: `commands that Redis carries out for each task of 100 files, ${readings} readings`,
          measured: commands / (readings / 100),
          unit: '',
          target: { most: 150 },
          details: `${commands} in ${short(wallMs)} ms; Redis held ${short(await redis.peakMemoryMb())} MB at most`,
        },
      ];
    });
  } finally {
    await stub.stop();
  }
}

async function manyWorkers(context: BenchmarkContext): Promise<Row[]> {
  const pods = context.quick ? 10 : 120;
  const stub = await startStub({ pods, readingsPerPod: 50 }, LATENCY_MS);
  const times = new Map<number, number[]>();
  try {
    for (let round = 0; round < rounds(context); round += 1) {
      for (const workers of [1, 2, 4]) {
        const wallMs = await withWorkers(stub.world, workers, slow, analyseTwice(stub.world));
        context.say(`${workers} workers: ${short(wallMs)} ms`);
        times.set(workers, [...(times.get(workers) ?? []), wallMs]);
      }
    }
  } finally {
    await stub.stop();
  }
  const one = median(times.get(1) ?? []);
  return [2, 4].map((workers) => {
    const ms = median(times.get(workers) ?? []);
    return {
      what: `${workers} workers over one, ${pods * 50} readings, ${LATENCY_MS} ms for each request, 8 in flight for each worker`,
      measured: one / ms,
      unit: '×',
      target: { least: workers === 2 ? 1.8 : 3.2 },
      details: `${short(one)} ms and ${short(ms)} ms, medians of ${rounds(context)}`,
    };
  });
}

async function oneWorker(context: BenchmarkContext): Promise<Row[]> {
  const pods = context.quick ? 10 : 100;
  const stub = await startStub({ pods, readingsPerPod: 50 }, LATENCY_MS);
  const alone: number[] = [];
  const shared: number[] = [];
  try {
    for (let round = 0; round < rounds(context); round += 1) {
      const service = await startService(stub.world);
      alone.push(await analyseTwice(stub.world)(service));
      await service.stop();
      shared.push(await withWorkers(stub.world, 1, {}, analyseTwice(stub.world)));
      context.say(
        `alone ${short(alone.at(-1) ?? 0)} ms, over Redis ${short(shared.at(-1) ?? 0)} ms`,
      );
    }
  } finally {
    await stub.stop();
  }
  return [
    {
      what: `one worker over Redis, over a service that works alone, ${pods * 50} readings`,
      measured: median(shared) / median(alone),
      unit: '',
      target: { most: 1.15 },
      details: `${short(median(shared))} ms and ${short(median(alone))} ms, medians of ${rounds(context)}`,
    },
  ];
}

function rounds({ quick }: BenchmarkContext): number {
  return quick ? 1 : ROUNDS;
}

/** The first one opens what is shared, so that the second measures the reading. */
function analyseTwice({ contributors: [caller] }: World) {
  return async (service: Service): Promise<number> => {
    const webId = caller?.webId ?? '';
    await service.analyse(webId);
    return (await service.analyse(webId)).wallMs;
  };
}

async function withWorkers<T>(
  world: World,
  count: number,
  bounds: Sharing['bounds'],
  work: (service: Service, redis: RedisProcess) => Promise<T>,
): Promise<T> {
  const redis = await startRedis();
  const service = await startService(world, { redisUrl: redis.url, bounds });
  try {
    await service.addWorkers(count);
    return await work(service, redis);
  } finally {
    await service.stop();
    await redis.stop();
  }
}
