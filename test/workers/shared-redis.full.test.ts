import { EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { LOCK_MS, SharedRedis } from '../../src/workers/shared-redis.js';
import { noLog } from '../support/no-log.js';
import { hasRedis, type RedisServer, startRedis } from '../support/redis-server.js';

/** With a job in hand that is done when `finish` is called. */
async function withJob() {
  const redis = await startRedis();
  const { url } = redis;
  const shared = new SharedRedis(url, '{test}', noLog);
  const others = new SharedRedis(url, '{test}', noLog);
  const job = new EventEmitter<{ begun: []; finish: [] }>();
  const results: string[] = [];
  const perform = async () => {
    job.emit('begun');
    await once(job, 'finish');
    return 'done';
  };
  const worker = shared.openWorker('jobs', perform, {});
  worker.on('completed', (_job, result) => results.push(result));
  const queue = others.openQueue('jobs');
  const begun = once(job, 'begun');
  await others.ask(() => queue.add('job', 'data'));
  await begun;
  return { redis, shared, others, finish: () => job.emit('finish'), results };
}

describe.runIf(hasRedis)('a process that leaves', () => {
  test('finishes the job in hand, however long it takes', async () => {
    const { shared, others, finish, results } = await withJob();
    const closing = shared.close();
    await pause(1.5 * LOCK_MS);
    finish();
    await closing;
    expect(results).toEqual(['done']);
    await others.close();
  });

  test.each([
    ['is gone', (redis: RedisServer) => redis.stop()],
    ['hangs', (redis: RedisServer) => Promise.resolve().then(() => redis.freeze())],
  ])('waits no longer than others wait for its job, when Redis %s', async (_, lose) => {
    const { redis, shared, others } = await withJob();
    await lose(redis);
    const since = performance.now();
    await shared.close();
    const took = performance.now() - since;
    // Before this time the job may still be its own.
    expect(took).toBeGreaterThanOrEqual(LOCK_MS);
    expect(took).toBeLessThan(2 * LOCK_MS);
    await others.close();
  });
});
