import { randomUUID } from 'node:crypto';
import type { Queue, QueueEventsProducer } from 'bullmq';
import { AnalyserError } from '../base/errors.js';
import { mapConcurrently } from '../base/map-concurrently.js';
import { fromWireError } from '../base/wire-error.js';
import { onAbort } from '../solid/requests/link-signals.js';
import { type Outcome, outcomeSchema, queueNames, type Task } from './part-messages.js';
import type { SharedRedis } from './shared-redis.js';
import type { SharedSecret } from './shared-secret.js';

/** In Redis at once: enough for many workers, and some megabytes to hold. */
const MOST_WAITING = 128;
/** A worker that has got a part and cannot work gives it back. */
const RETRIES = { attempts: 5, backoff: { type: 'fixed', delay: 500 } };
/** After so long without an answer it is asked whether there can be one, which then gets a while more. */
const LOOK_MS = 15_000;
const LAST_MS = 2_000;
const lost = 'A part of the analysis was lost with the worker that had it. Try again.';

interface Pending {
  resolve: (sealed: unknown) => void;
  reject: (error: unknown) => void;
}

/** Hands parts to the workers, whichever they are, and collects what comes back. */
export class PartsQueue {
  readonly #queue: Queue;
  readonly #stops: QueueEventsProducer;
  readonly #pending = new Map<string, Pending>();
  /** Not before there is a need: the events hold all that workers find. */
  #isFollowed = false;

  constructor(
    private readonly redis: SharedRedis,
    private readonly secret: SharedSecret,
    version: string,
    private readonly together: number,
  ) {
    const names = queueNames(version);
    this.#queue = redis.openQueue(names.parts);
    this.#stops = redis.openProducer(names.stops);
  }

  /** The outcomes in the order of the tasks. The first failure ends them all. */
  async perform(
    tasks: readonly Task[],
    signal: AbortSignal | undefined,
    onDone: (index: number, outcome: Outcome) => void,
  ): Promise<void> {
    const run = randomUUID();
    const stop = new AbortController();
    const ending = AbortSignal.any([stop.signal, ...(signal ? [signal] : [])]);
    try {
      await this.#begin();
      await mapConcurrently(tasks, MOST_WAITING, async (task, index) => {
        const performing = this.#perform(run, task, ending);
        performing.catch((error: unknown) => stop.abort(error));
        onDone(index, await performing);
      });
    } catch (error) {
      const tell = () => this.#stops.publishEvent({ eventName: 'stop', name: run });
      await this.redis.ask(tell).catch(() => undefined);
      throw error;
    } finally {
      // They hold all answers.
      if (this.#pending.size === 0) await this.#queue.trimEvents(0).catch(() => undefined);
    }
  }

  /** Only one analysis is under way at any time: what else is there was left by a dead process. */
  async #begin(): Promise<void> {
    if (!this.#isFollowed) this.#follow();
    this.#isFollowed = true;
    await this.redis.ask(async () => {
      if (this.#pending.size === 0) await this.#queue.drain(true);
      if (this.together === 0) await this.#queue.removeGlobalConcurrency();
      else await this.#queue.setGlobalConcurrency(this.together);
    });
  }

  #follow(): void {
    const events = this.redis.follow(this.#queue);
    events.on('completed', ({ jobId, returnvalue }) => {
      this.#pending.get(jobId)?.resolve(returnvalue);
    });
    events.on('failed', ({ jobId }) => {
      this.#pending.get(jobId)?.reject(new AnalyserError('redis', lost));
    });
  }

  async #perform(run: string, task: Task, signal: AbortSignal): Promise<Outcome> {
    signal.throwIfAborted();
    const id = randomUUID();
    const sealed = this.secret.seal({ run, task }, `part ${id}`);
    let unfollow = (): void => undefined;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      unfollow = onAbort(signal, () => {
        const reason: unknown = signal.reason;
        reject(reason);
      });
    });
    const look = setInterval(() => void this.#look(id), LOOK_MS);
    const adding = this.redis.ask(() => this.#queue.add('part', sealed, { jobId: id, ...RETRIES }));
    try {
      const [sealedAnswer] = await Promise.all([answer, adding]);
      const outcome = outcomeSchema.parse(this.secret.open(sealedAnswer, `outcome ${id}`));
      if (outcome.kind === 'failed') throw fromWireError(outcome.error);
      return outcome;
    } catch (error) {
      await this.#queue.remove(id).catch(() => undefined);
      throw error;
    } finally {
      unfollow();
      clearInterval(look);
      this.#pending.delete(id);
    }
  }

  /** A part that Redis has lost, or whose event, would keep the analysis waiting. */
  async #look(id: string): Promise<void> {
    const state = await this.#queue.getJobState(id).catch(() => null);
    if (state !== 'unknown') return;
    setTimeout(() => this.#pending.get(id)?.reject(new AnalyserError('redis', lost)), LAST_MS);
  }
}
