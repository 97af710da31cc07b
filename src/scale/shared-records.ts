import { randomUUID } from 'node:crypto';
import type { SharedRecords } from '../ledger/share-ledger.js';
import type { SharedRedis } from './shared-redis.js';

/** Records in one command. */
const MOST_RECORDS = 5_000;

/**
 * The journals of all machines as one sorted set in Redis, each record once, in order of arrival.
 * When Redis has lost the set, the new one has another name, and each machine adds its own again.
 */
export function createSharedRecords(redis: SharedRedis): SharedRecords {
  const key = `${redis.prefix}:ledger`;
  const [nameKey, countKey] = [`${key}-name`, `${key}-count`];
  let known: string | null = null;
  let next = 0;

  async function add(records: readonly Buffer[]): Promise<void> {
    for (let start = 0; start < records.length; start += MOST_RECORDS) {
      const some = records.slice(start, start + MOST_RECORDS);
      const last = await redis.ask((commands) => commands.incrby(countKey, some.length));
      const scored = some.flatMap((record, index) => [last - some.length + index, record]);
      await redis.ask((commands) => commands.zadd(key, 'NX', ...scored));
    }
  }

  return {
    add,
    async fetch(ownRecords) {
      await redis.ask((commands) => commands.set(nameKey, randomUUID(), 'NX'));
      const name = await redis.ask((commands) => commands.get(nameKey));
      if (name !== known) await add(ownRecords());
      if (name !== known) next = 0;
      known = name;
      const news = await redis.ask((commands) => commands.zrangeBuffer(key, String(next), '-1'));
      next += news.length;
      return news;
    },
  };
}
