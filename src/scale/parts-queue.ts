import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Queue, QueueEvents } from 'bullmq';
import type { z } from 'zod';
import { ConcurrencyLimit } from '../base/concurrency.js';
import { AnalyserError } from '../base/errors.js';
import { fromWireError } from '../base/wire-error.js';
import { outcomeSchema, partsName, type Task } from './part-messages.js';
import { LOCK_MS, type SharedRedis } from './shared-redis.js';
import type { SharedSecret } from './shared-secret.js';

/** Events kept in Redis; each can hold the result of a part. */
const MOST_EVENTS = 1_000;
/** A part is tried again when its worker dies or gives it back. */
const RETRIES = { attempts: 5, backoff: { type: 'fixed', delay: 500 } };
const lost = 'A part of the analysis was lost with the worker that had it. Try again.';

/** Has a worker do a task; resolves with its result. */
export type Perform = <T>(task: Task, schema: z.ZodType<T>) => Promise<T>;

/** Hands parts to the workers and collects the results. */
export class PartsQueue {
  readonly queue: Queue;
  readonly #oneAtATime = new ConcurrencyLimit(1);
  /** By part, who waits for its sealed result; called with null when the part was lost. */
  readonly #pending = new Map<string, (sealed: unknown) => void>();
  /** Opened only when needed, because the events carry all results. */
  #events: QueueEvents | null = null;

  constructor(
    private readonly redis: SharedRedis,
    private readonly secret: SharedSecret,
    version: string,
    private readonly together: number,
  ) {
    this.queue = redis.openQueue(partsName(version));
  }

  /**
   * Gives the queue to one piece of work, whose tasks share what the workers find out on the way. The
   * first task that fails ends them all.
   */
  use<R>(signal: AbortSignal | undefined, work: (perform: Perform) => Promise<R>): Promise<R> {
    return this.#oneAtATime.run(async () => {
      const analysis = randomUUID();
      const failing = new AbortController();
      const ending = AbortSignal.any([failing.signal, ...(signal ? [signal] : [])]);
      ending.addEventListener('abort', () => this.#pending.forEach((settle) => settle(null)));
      const perform: Perform = async (task, schema) => {
        const performing = this.#perform({ analysis, task }, ending);
        performing.catch((error: unknown) => failing.abort(error));
        return schema.parse(await performing);
      };
      try {
        await this.#clear();
        this.#events ??= this.#follow();
        return await work(perform);
      } finally {
        await this.#clear().catch(() => undefined);
        // By then, workers have stopped the parts whose locks they cannot renew.
        if (ending.aborted) await pause(LOCK_MS / 2);
      }
    });
  }

  /** Removes parts that a dead process left, with the settings of the queue, which are then set again. */
  #clear(): Promise<void> {
    return this.redis.ask(async () => {
      await this.queue.obliterate({ force: true });
      await this.queue.getBackend().setQueueMeta({ 'opts.maxLenEvents': MOST_EVENTS });
      if (this.together > 0) await this.queue.setGlobalConcurrency(this.together);
    });
  }

  #follow(): QueueEvents {
    const events = this.redis.follow(this.queue);
    events.on('completed', ({ jobId, returnvalue }) => this.#pending.get(jobId)?.(returnvalue));
    events.on('failed', ({ jobId }) => this.#pending.get(jobId)?.(null));
    return events;
  }

  async #perform(part: { analysis: string; task: Task }, signal: AbortSignal): Promise<unknown> {
    const id = randomUUID();
    const sealed = this.secret.seal(part, `part ${id}`);
    const answer = new Promise<unknown>((resolve) => this.#pending.set(id, resolve));
    try {
      signal.throwIfAborted();
      await this.redis.ask(() => this.queue.add('part', sealed, { jobId: id, ...RETRIES }));
      const outcome = this.secret.open(outcomeSchema, await answer, `outcome ${id}`);
      signal.throwIfAborted();
      if (outcome === null) throw new AnalyserError('redis', lost);
      if (outcome.error !== null) throw fromWireError(outcome.error);
      return outcome.value;
    } finally {
      this.#pending.delete(id);
    }
  }
}
