import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import * as bullmq from 'bullmq';
import { Redis } from 'ioredis';
import { AnalyserError, messageOf } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import type { Config, Secrets } from '../config/schema.js';
import type { Observer } from '../run/observer.js';
import { deriveSharedSecret } from './shared-secret.js';

/** For callers of the service; the log names the address and the cause. */
export const redisAway =
  'Redis, over which this service shares its work, cannot be reached. Try again later.';
const redisFull =
  'Redis, over which this service shares its work, takes nothing more: its memory or its disk is full. Its operator has to make room.';
/** A process that is silent for this long loses its jobs to the others. */
export const LOCK_MS = 5_000;
/** Longer than Redis normally takes, so that a Redis that hangs does not hold up a Status. */
const COMMAND_MS = 3_000;
const PING_MS = 500;
/** A job that has brought down more processes than this is not tried again. */
const MOST_LOSSES = 3;

export interface ScaleSettings {
  config: Config;
  secrets: Secrets;
  redisUrl: string;
  build: string;
  log: Logger;
  observe: Observer;
}

export async function openSharedRedis({
  config,
  secrets,
  redisUrl,
  log,
}: Pick<ScaleSettings, 'config' | 'secrets' | 'redisUrl' | 'log'>) {
  const secret = await deriveSharedSecret(secrets.securityKey, config.analyser.web_id);
  return { secret, redis: new SharedRedis(redisUrl, secret.prefix, log) };
}

export type BullWorker = bullmq.Worker<unknown, string>;

export class SharedRedis {
  /** Waits while Redis is away, as BullMQ requires for its workers. */
  readonly #waiting: Redis;
  /** Fails at once while Redis is away. */
  readonly #commands: Redis;
  /** Settles with the first connection or the first error, or when neither has come in time. */
  readonly #firstContact: Promise<unknown>;
  readonly #opened: bullmq.QueueBase[] = [];
  readonly #closing = new AbortController();
  #isAway = false;

  constructor(
    private readonly url: string,
    readonly prefix: string,
    private readonly log: Logger,
  ) {
    const impatient = { enableOfflineQueue: false, commandTimeout: COMMAND_MS };
    this.#waiting = new Redis(url, { maxRetriesPerRequest: null });
    this.#commands = this.#waiting.duplicate({ ...impatient, maxRetriesPerRequest: 0 });
    const signal = AbortSignal.timeout(COMMAND_MS);
    this.#firstContact = once(this.#commands, 'ready', { signal }).catch(() => undefined);
    this.#waiting.on('error', () => undefined);
    this.#commands.on('error', (error: unknown) => this.#tell(error));
  }

  async ask<T>(question: (redis: Redis) => Promise<T>): Promise<T> {
    await this.#firstContact;
    try {
      // Without this, BullMQ would wait for the connection.
      if (this.#commands.status !== 'ready') throw new Error('It is not connected.');
      const answer = await question(this.#commands);
      this.#tell(null);
      return answer;
    } catch (error) {
      this.#tell(error);
      throw new AnalyserError('redis', isFull(error) ? redisFull : redisAway, { cause: error });
    }
  }

  openQueue(name: string): bullmq.Queue {
    const defaultJobOptions = { removeOnComplete: true, removeOnFail: true };
    const options = { ...this.#options(this.#commands), defaultJobOptions };
    return this.#keep(new bullmq.Queue(name, options));
  }

  openWorker(
    name: string,
    processor: bullmq.Processor<unknown, string> | null,
    options: Partial<bullmq.WorkerOptions>,
  ): BullWorker {
    const times = { lockDuration: LOCK_MS, stalledInterval: LOCK_MS / 2 };
    const losses = { maxStalledCount: MOST_LOSSES };
    const all = { ...this.#options(this.#waiting), ...times, ...losses, ...options };
    return this.#keep(new bullmq.Worker<unknown, string>(name, processor, all));
  }

  /** Follows all events. If BullMQ cannot read an event, all stored events are dropped, so some can be missed. */
  follow(queue: Pick<bullmq.Queue, 'name' | 'trimEvents'>): bullmq.QueueEvents {
    // Without `lastEventId`, a request asks only for events that come after it. Until the first event, BullMQ makes a
    // new request of this kind after each timeout, and an event between two requests would be missed.
    const options = { ...this.#options(this.#waiting), autorun: false, lastEventId: '0-0' };
    const events = this.#keep(new bullmq.QueueEvents(queue.name, options));
    void this.repeat(COMMAND_MS, () => events.run().catch(() => queue.trimEvents(0)));
    return events;
  }

  async repeat(everyMs: number, act: () => Promise<unknown>): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await act().catch(() => undefined);
      await pause(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Waits for the jobs in hand. While Redis is away, waits only until they belong to other processes. */
  async close(): Promise<void> {
    this.#closing.abort();
    // While Redis is away, closing might never finish, so the connections are cut.
    const closed = Promise.allSettled(this.#opened.map((opened) => opened.close()));
    await Promise.race([closed, this.#untilLost()]);
    this.#commands.disconnect();
    this.#waiting.disconnect();
  }

  /** Resolves when Redis has given no answer for as long as a job stays with a silent process. */
  async #untilLost(): Promise<void> {
    let answeredAt = performance.now();
    while (performance.now() - answeredAt < LOCK_MS) {
      const answer = await this.ask((redis) => redis.ping()).catch(() => null);
      if (answer !== null) answeredAt = performance.now();
      await pause(PING_MS, undefined, { ref: false });
    }
  }

  #options(connection: Redis) {
    return { prefix: this.prefix, skipVersionCheck: true, connection };
  }

  #keep<T extends bullmq.QueueBase>(opened: T): T {
    opened.on('error', (error) => this.log.debug({ err: error }, 'BullMQ tells a failure.'));
    this.#opened.push(opened);
    return opened;
  }

  /** Logs a failure once, however often it repeats; `error` is null when Redis works. */
  #tell(error: unknown): void {
    const isAway = error !== null;
    if (isAway === this.#isAway || this.#closing.signal.aborted) return;
    this.#isAway = isAway;
    const { hostname, port } = new URL(this.url);
    const away = `Redis at ${hostname}:${port || '6379'} cannot be used (${messageOf(error)}); the service goes on trying.`;
    if (isAway) this.log.warn(away);
    else this.log.info('Redis is back.');
  }
}

/** Whether Redis refuses to write: its memory is at maxmemory, or it cannot save to its disk. */
function isFull(error: unknown): boolean {
  return /^(?:OOM|MISCONF)\b/.test(messageOf(error));
}
