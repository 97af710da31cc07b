import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { findFreePort } from '../../src/embedded-server/embedded-server.js';
import { atEnd } from './at-end.js';

/** Tests that need it are left out, by name, where it is not installed. */
const program = 'redis-server';
export const hasRedis = isInstalled();
if (!hasRedis) console.warn('redis-server is not installed: the tests that need it are skipped.');

export interface RedisServer {
  /** With its password. */
  url: string;
  password: string;
  /** Everything that it holds: names and contents. */
  dump(): Promise<Map<string, string>>;
  /** With nothing kept. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Hangs: connections stay, answers do not come. */
  freeze(): void;
  thaw(): void;
}

export async function startRedis(): Promise<RedisServer> {
  const port = await findFreePort();
  const password = 'password-of-redis';
  const url = `redis://:${password}@localhost:${port}`;
  let child: ChildProcess | null = null;

  async function start(): Promise<void> {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--requirepass', password];
    child = spawn(program, [...options, '--save', ''], { stdio: 'ignore' });
    const probe = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: null });
    probe.on('error', () => undefined);
    await probe.ping();
    probe.disconnect();
  }

  async function stop(): Promise<void> {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null) return;
    running.kill('SIGKILL');
    await once(running, 'exit');
  }

  await start();
  atEnd(stop);
  return {
    url,
    password,
    start,
    stop,
    freeze: () => child?.kill('SIGSTOP'),
    thaw: () => child?.kill('SIGCONT'),
    async dump() {
      const redis = new Redis(url);
      const held = new Map<string, string>();
      for (const key of await redis.keys('*')) held.set(key, await contentOf(redis, key));
      redis.disconnect();
      return held;
    },
  };
}

async function contentOf(redis: Redis, key: string): Promise<string> {
  const reads: Record<string, () => Promise<unknown>> = {
    string: () => redis.get(key),
    hash: () => redis.hgetall(key),
    list: () => redis.lrange(key, '0', '-1'),
    set: () => redis.smembers(key),
    zset: () => redis.zrange(key, '0', '-1', 'WITHSCORES'),
    stream: () => redis.xrange(key, '-', '+'),
  };
  return JSON.stringify(await reads[await redis.type(key)]?.());
}

function isInstalled(): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
