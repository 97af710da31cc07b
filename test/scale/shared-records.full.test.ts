import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../src/base/logger.js';
import { ShareLedger } from '../../src/ledger/share-ledger.js';
import { createSharedRecords } from '../../src/scale/shared-records.js';
import { SharedRedis } from '../../src/scale/shared-redis.js';
import { hasRedis, type RedisServer, startRedis } from '../support/redis-server.js';

const log = createLogger({ verbose: false, stream: { write: () => undefined } });
const root = 'https://pods.example.org/anna/';
const none = { read: [], ended: [], opened: [] };
const read = (name: string) => {
  const url = `${root}${name}`;
  return { url, spelling: url, key: Buffer.alloc(32, 1), root };
};

let redis: RedisServer;
let folder: string;
let links: SharedRedis[];

/** The ledger of one machine, with a journal of its own; opened again, it is the machine restarted. */
function openLedger(machine: string): ShareLedger {
  const link = new SharedRedis(redis.url, '{ledgers}', log);
  links.push(link);
  const shared = createSharedRecords(link);
  return new ShareLedger(join(folder, machine), Buffer.alloc(32, 9), { shared });
}

async function namesIn(ledger: ShareLedger): Promise<string[]> {
  await ledger.refresh();
  return [...ledger.shares()].map(({ url }) => url.slice(root.length)).sort();
}

describe.runIf(hasRedis)('ledgers of several machines', () => {
  beforeEach(async () => {
    links = [];
    [redis, folder] = await Promise.all([startRedis(), mkdtemp(join(tmpdir(), 'bp-ledgers-'))]);
  });
  afterEach(async () => {
    await Promise.all(links.map((link) => link.close()));
    await redis.stop();
    await rm(folder, { recursive: true });
  });

  test('know what each has read and what has ended, without it being readable in Redis', async () => {
    const [one, two] = [openLedger('one'), openLedger('two')];
    expect([await namesIn(one), await namesIn(two)]).toEqual([[], []]);
    await one.record({ ...none, read: [read('a'), read('b')] });
    await two.refresh();
    await two.record({ ...none, read: [read('c')], ended: [`${root}a`] });
    expect(await namesIn(one)).toEqual(['b', 'c']);
    expect(await namesIn(openLedger('three'))).toEqual(['b', 'c']);
    const held = [...(await redis.dump())].flat().join();
    expect(held).toContain('ledger');
    expect(held).not.toContain('pods.example.org');
  });

  test('lose nothing when Redis has lost everything, even with a machine started anew', async () => {
    const one = openLedger('one');
    await one.record({ ...none, read: [read('a')] });
    const two = openLedger('two');
    await two.refresh();
    await two.record({ ...none, read: [read('b')] });
    // What the other has written since is in its own journal alone.
    await redis.stop();
    await redis.start();
    const again = openLedger('one');
    await expect.poll(() => namesIn(again), { timeout: 10_000 }).toEqual(['a']);
    await expect.poll(() => namesIn(two), { timeout: 10_000 }).toEqual(['a', 'b']);
    expect(await namesIn(again)).toEqual(['a', 'b']);
  });

  test('hold a record once, however often machines start', async () => {
    const one = openLedger('one');
    await one.record({ ...none, read: [read('a'), read('b')] });
    await one.refresh();
    const before = (await redis.dump()).get('{ledgers}:ledger');
    for (let time = 0; time < 3; time += 1) await namesIn(openLedger('one'));
    expect((await redis.dump()).get('{ledgers}:ledger')).toBe(before);
  });
});
