import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import * as bullmq from 'bullmq';
import { Redis } from 'ioredis';
import { AnalyserError, messageOf } from '../base/errors.js';
import type { Logger } from '../base/logger.js';

/** What callers of the service are told; the log names the address and the cause. */
export const redisAway =
  'Redis, over which this service shares its work, cannot be reached. Try again later.';
/** A process that is silent for so long has lost its jobs to the others. */
export const LOCK_MS = 5_000;
/** Longer than Redis ever takes; a Redis that hangs must not hold up a Status. */
const COMMAND_MS = 3_000;
const LONGEST_PAUSE_MS = 2_000;
/** Events carry answers, so their number bounds what Redis holds. */
const MOST_EVENTS = 2_000;

export type BullWorker = bullmq.Worker<unknown, string>;

/** An event of our own, told to all who follow a queue: what has this name is to stop. */
export interface StopListener extends bullmq.QueueEventsListener {
  stop: (event: { name: string }) => void;
}

interface Opened {
  on(event: 'error', listener: (error: Error) => void): unknown;
  close(): Promise<void>;
}

/** The connections to Redis, and what BullMQ opens on them under one prefix. */
export class SharedRedis {
  /** Fails at once while Redis is away. */
  readonly #commands: Redis;
  /** Waits until Redis is back, as BullMQ wants it for its workers. */
  readonly #waiting: Redis;
  readonly #opened: Opened[] = [];
  readonly #closing = new AbortController();
  #isAway = false;

  constructor(
    private readonly url: string,
    private readonly prefix: string,
    private readonly log: Logger,
  ) {
    const retryStrategy = (times: number) => Math.min(times * 100, LONGEST_PAUSE_MS);
    const common = { connectTimeout: COMMAND_MS, retryStrategy };
    const impatient = { enableOfflineQueue: false, commandTimeout: COMMAND_MS };
    this.#commands = new Redis(url, { ...common, ...impatient, maxRetriesPerRequest: 0 });
    this.#waiting = new Redis(url, { ...common, maxRetriesPerRequest: null });
    for (const link of [this.#commands, this.#waiting]) {
      link.on('error', (error: unknown) => this.#tellAway(error));
    }
  }

  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Once it is known whether Redis is there. */
  async firstContact(): Promise<void> {
    const signal = AbortSignal.timeout(COMMAND_MS);
    // The first error tells as much.
    await once(this.#commands, 'ready', { signal }).catch(() => undefined);
  }

  key(name: string): string {
    return `${this.prefix}:${name}`;
  }

  async ask<T>(question: (redis: Redis) => Promise<T>): Promise<T> {
    try {
      // BullMQ would wait for the connection.
      if (this.#commands.status !== 'ready') throw new Error('It is not connected.');
      const answer = await question(this.#commands);
      if (this.#isAway) this.log.info('Redis is back.');
      this.#isAway = false;
      return answer;
    } catch (error) {
      this.#tellAway(error);
      throw new AnalyserError('redis', redisAway, { cause: error });
    }
  }

  openQueue(name: string): bullmq.Queue {
    const streams = { events: { maxLen: MOST_EVENTS } };
    const defaultJobOptions = { removeOnComplete: true, removeOnFail: true };
    const options = { ...this.#options(this.#commands), streams, defaultJobOptions };
    return this.#keep(new bullmq.Queue(name, options));
  }

  openProducer(name: string): bullmq.QueueEventsProducer {
    return this.#keep(new bullmq.QueueEventsProducer(name, this.#options(this.#commands)));
  }

  openWorker(
    name: string,
    processor: bullmq.Processor<unknown, string> | null,
    options: Partial<bullmq.WorkerOptions>,
  ): BullWorker {
    const times = { lockDuration: LOCK_MS, stalledInterval: LOCK_MS / 2 };
    const all = { ...this.#options(this.#waiting), ...times, autorun: false, ...options };
    return this.#keep(new bullmq.Worker<unknown, string>(name, processor, all));
  }

  /** All events, but for some after somebody else has put there what BullMQ cannot read. */
  follow(queue: bullmq.Queue): bullmq.QueueEvents {
    // Otherwise BullMQ begins anew after each silence, and misses what comes in between.
    const begin = { autorun: false, lastEventId: '0-0' };
    const options = { ...this.#options(this.#waiting), ...begin };
    const events = this.#keep(new bullmq.QueueEvents(queue.name, options));
    const run = async (): Promise<void> => {
      while (!this.closing.aborted) {
        await events.run().catch(() => queue.trimEvents(0).catch(() => pause(LONGEST_PAUSE_MS)));
      }
    };
    void run();
    return events;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    // A Redis that is away lets nothing be closed in order.
    const closed = Promise.allSettled(this.#opened.map((one) => one.close()));
    await Promise.race([closed, pause(COMMAND_MS, undefined, { ref: false })]);
    this.#commands.disconnect();
    this.#waiting.disconnect();
  }

  #options(connection: Redis) {
    return { prefix: this.prefix, skipVersionCheck: true, connection };
  }

  #keep<T extends Opened>(opened: T): T {
    opened.on('error', (error) => this.log.debug({ err: error }, 'BullMQ tells a failure.'));
    this.#opened.push(opened);
    return opened;
  }

  /** Several connections fail together, and again and again: it is told once. */
  #tellAway(error: unknown): void {
    if (this.#isAway || this.closing.aborted) return;
    this.#isAway = true;
    const { hostname, port } = new URL(this.url);
    this.log.warn(
      `Redis at ${hostname}:${port || '6379'} cannot be used (${messageOf(error)}); the service goes on trying.`,
    );
  }
}
