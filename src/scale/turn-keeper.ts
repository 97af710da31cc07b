import { setTimeout as pause } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { z } from 'zod';
import type { LineStore } from './line-store.js';
import type { SharedRedis } from './shared-redis.js';

/** A process that is not heard of for so long has lost what it was doing to another. */
export const LOCK_MS = 5_000;
/** News can get lost. */
const LOOK_AGAIN_MS = 500;

const turnData = z.object({ id: z.string() });

/**
 * The order of the line: a queue with one job at a time over all processes. Whichever process
 * gets the job offers the turn to the one whose caller it is, and keeps it until that one has
 * left the line. A keeper that dies is replaced; the analysis goes on meanwhile.
 */
export class TurnKeeper {
  readonly #queue: Queue;
  readonly #worker: Worker;
  readonly #closing = new AbortController();
  readonly #wakers = new Set<() => void>();

  constructor(redis: SharedRedis, prefix: string, store: LineStore) {
    const options = { prefix, skipVersionCheck: true };
    this.#queue = new Queue('turns', {
      ...options,
      connection: redis.commands,
      // Nobody listens.
      streams: { events: { maxLen: 10 } },
    });
    this.#worker = new Worker(
      'turns',
      async ({ data }) => await this.#keep(turnData.parse(data).id, store),
      {
        ...options,
        connection: redis.openWaiting(),
        lockDuration: LOCK_MS,
        stalledInterval: LOCK_MS / 2,
        maxStalledCount: Number.MAX_SAFE_INTEGER,
      },
    );
    // SharedRedis tells when Redis is away.
    this.#queue.on('error', () => undefined);
    this.#worker.on('error', () => undefined);
    redis.whenThere(() => this.#queue.setGlobalConcurrency(1));
    redis.onNews('left', () => {
      for (const wake of this.#wakers) wake();
    });
  }

  async add(id: string): Promise<void> {
    await this.#queue.add(
      'turn',
      { id },
      {
        jobId: id,
        removeOnComplete: true,
        removeOnFail: true,
        // Only the keeping can fail, and then somebody else has to do it.
        attempts: Number.MAX_SAFE_INTEGER,
        backoff: { type: 'fixed', delay: 100 },
      },
    );
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#worker.close(), this.#queue.close()]).catch(() => undefined);
  }

  async #keep(id: string, store: LineStore): Promise<void> {
    while ((await store.grant(id)) !== 'over') {
      await this.#untilSomebodyLeaves();
      this.#closing.signal.throwIfAborted();
    }
  }

  async #untilSomebodyLeaves(): Promise<void> {
    const woken = new AbortController();
    const wake = () => woken.abort();
    this.#wakers.add(wake);
    const signal = AbortSignal.any([woken.signal, this.#closing.signal]);
    await pause(LOOK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
    this.#wakers.delete(wake);
  }
}
