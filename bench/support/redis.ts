import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { findFreePort } from '../../src/embedded-server/embedded-server.js';

export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

/** A Redis that keeps nothing. */
export interface RedisProcess {
  url: string;
  /** Commands since it was started, those of scripts included. */
  commands(): Promise<number>;
  /** The most that it has held, in MB. */
  peakMemoryMb(): Promise<number>;
  stop(): Promise<void>;
}

export async function startRedis(): Promise<RedisProcess> {
  const port = await findFreePort();
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', ''];
  const child = spawn('redis-server', options, { stdio: 'ignore' });
  const url = `redis://127.0.0.1:${port}`;
  const redis = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: null });
  redis.on('error', () => undefined);
  await redis.ping();
  const figure = async (section: string, name: string): Promise<number> => {
    const found = new RegExp(`^${name}:(\\d+)`, 'm').exec(await redis.info(section));
    return Number(found?.[1]);
  };
  return {
    url,
    commands: () => figure('stats', 'total_commands_processed'),
    peakMemoryMb: async () => (await figure('memory', 'used_memory_peak')) / 2 ** 20,
    async stop() {
      redis.disconnect();
      child.kill();
      await once(child, 'exit');
    },
  };
}
