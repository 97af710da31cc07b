import { once } from 'node:events';
import { Redis } from 'ioredis';
import { AnalyserError, messageOf } from '../base/errors.js';
import type { Logger } from '../base/logger.js';

/** What callers of the service are told; the log names the address and the cause. */
export const redisAway =
  'Redis, over which this service shares its work, cannot be reached. Try again later.';

/** Longer than Redis ever takes; a Redis that hangs must not hold up a Status. */
const COMMAND_MS = 3_000;
const LONGEST_PAUSE_MS = 2_000;

type NewsListener = (text: string) => void;

interface Haste {
  enableOfflineQueue?: boolean;
  maxRetriesPerRequest: number | null;
  commandTimeout?: number;
}

/** The connections to Redis: commands fail at once while it is away, and it is looked for all the time. */
export class SharedRedis {
  readonly commands: Redis;
  readonly #news: Redis;
  readonly #subscribing: Promise<void>;
  readonly #links: Redis[] = [];
  readonly #channel: string;
  readonly #listeners = new Map<string, Set<NewsListener>>();
  readonly #log: Logger;
  #isAway = false;

  constructor(
    private readonly url: string,
    { prefix, log }: { prefix: string; log: Logger },
  ) {
    this.#log = log;
    this.#channel = `${prefix}:news`;
    this.commands = this.#open({
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_MS,
    });
    this.#news = this.#open({ maxRetriesPerRequest: null });
    this.#subscribing = this.#news.subscribe(this.#channel).then(
      () => undefined,
      () => undefined,
    );
    this.#news.on('message', (_channel: string, message: string) => this.#hear(message));
  }

  /** Once it is known whether Redis is there. */
  async firstContact(): Promise<void> {
    const known = new Promise<void>((resolve) => {
      this.commands.once('error', () => resolve());
      setTimeout(resolve, COMMAND_MS).unref();
    });
    await Promise.race([this.#subscribing, known]);
    if (this.commands.status === 'ready') return;
    await Promise.race([once(this.commands, 'ready'), known]).catch(() => undefined);
  }

  /** For what waits at Redis: BullMQ makes of it what it needs. */
  openWaiting(): Redis {
    return this.#open({ maxRetriesPerRequest: null });
  }

  /** Now, or as soon as Redis is there; and again whenever it is back. */
  whenThere(act: () => Promise<unknown>): void {
    const attempt = () => void act().catch((error: unknown) => this.#tellAway(error));
    this.commands.on('ready', attempt);
    if (this.commands.status === 'ready') attempt();
  }

  run(script: string, keys: string[], args: (string | number)[]): Promise<unknown> {
    return this.ask((redis) => redis.eval(script, keys.length, ...keys, this.#channel, ...args));
  }

  async ask<T>(question: (redis: Redis) => Promise<T>): Promise<T> {
    try {
      const answer = await question(this.commands);
      this.#tellBack();
      return answer;
    } catch (error) {
      this.#tellAway(error);
      throw new AnalyserError('redis', redisAway, { cause: error });
    }
  }

  /** The first word of a message is its kind. */
  onNews(kind: string, listener: NewsListener): void {
    const listeners = this.#listeners.get(kind) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(kind, listeners);
  }

  /** Lost when Redis is away: nothing may depend on it alone. */
  tell(kind: string, text = ''): void {
    this.commands.publish(this.#channel, `${kind} ${text}`).catch(() => undefined);
  }

  close(): void {
    for (const link of this.#links) link.disconnect();
  }

  #hear(message: string): void {
    const end = message.indexOf(' ');
    for (const listener of this.#listeners.get(message.slice(0, end)) ?? []) {
      listener(message.slice(end + 1));
    }
  }

  #open(haste: Haste): Redis {
    const link = new Redis(this.url, {
      ...haste,
      connectTimeout: COMMAND_MS,
      retryStrategy: (times) => Math.min(times * 100, LONGEST_PAUSE_MS),
    });
    link.on('error', (error: unknown) => this.#tellAway(error));
    this.#links.push(link);
    return link;
  }

  /** Several connections fail together, and again and again: it is told once. */
  #tellAway(error: unknown): void {
    if (this.#isAway) return;
    this.#isAway = true;
    const { hostname, port } = new URL(this.url);
    this.#log.warn(
      `Redis at ${hostname}:${port || '6379'} cannot be used (${messageOf(error)}); the service goes on trying.`,
    );
  }

  #tellBack(): void {
    if (this.#isAway) this.#log.info('Redis is back.');
    this.#isAway = false;
  }
}
