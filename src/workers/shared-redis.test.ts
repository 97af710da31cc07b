import { expect, test } from 'vitest';
import { recordedLog } from '../../test/support/recorded-log.js';
import { SharedRedis } from './shared-redis.js';

test('[T18] that Redis is away is told once, with its place and without the password', async () => {
  const { log, lines } = recordedLog();
  // Nothing listens there.
  const redis = new SharedRedis('redis://name:s3cret@127.0.0.1:1/0', 'prefix', log);
  const asking = () => redis.ask((commands) => commands.ping());
  await expect(asking()).rejects.toMatchObject({ kind: 'redis' });
  await expect(asking()).rejects.toThrow('Redis, over which this service shares its work, cannot');
  await redis.close();
  expect(lines).toMatchObject([{ msg: expect.stringContaining('Redis at 127.0.0.1:1 cannot') }]);
  expect(JSON.stringify(lines)).not.toMatch(/s3cret|name:/);
});

test('[T30] no part stays there once it was read, or cannot be', async () => {
  const redis = new SharedRedis('redis://127.0.0.1:1/0', 'prefix', recordedLog().log);
  const queue = redis.openQueue('parts');
  expect(queue.jobsOpts).toMatchObject({ removeOnComplete: true, removeOnFail: true });
  await redis.close();
});
