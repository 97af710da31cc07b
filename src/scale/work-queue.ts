import { randomUUID } from 'node:crypto';
import { Queue, QueueEvents } from 'bullmq';
import { z } from 'zod';
import { AnalyserError } from '../base/errors.js';
import { mapConcurrently } from '../base/map-concurrently.js';
import { onAbort } from '../solid/requests/link-signals.js';
import type { Crew } from './crew.js';
import { toError } from './failures.js';
import { repeat } from './repeat.js';
import type { SharedRedis } from './shared-redis.js';
import type { SharedSecret } from './shared-secret.js';
import { type Outcome, readOutcome, type Task, writeWork } from './work-messages.js';

export type Success = Exclude<Outcome, { kind: 'failed' }>;

/** Waiting in Redis for each worker: enough to keep it busy, and little to hold. */
const WAITING_PER_WORKER = 6;
/** A worker that is started anew is back by then. */
const WITHOUT_WORKERS_MS = 10_000;
/** A worker that has got a task and cannot work gives it back. */
const ATTEMPTS = 5;
/** When QueueEvents starts anew, what it has missed is still there. */
const FROM_THE_BEGINNING = '0-0';

/** Versions do not share it: what one writes, another may misread. */
export function workQueueName(version: string): string {
  return `work-${version.replaceAll(':', '-')}`;
}

/** An answer from before, or to another task, is none to this one. */
export const taskPurpose = (id: string) => `task ${id}`;
export const answerPurpose = (id: string) => `answer ${id}`;

interface Pending {
  resolve(sealed: unknown): void;
  reject(error: unknown): void;
}

/** Hands tasks to the workers, whichever they are, and collects what comes back. */
export class WorkQueue {
  readonly #queue: Queue;
  readonly #events: QueueEvents;
  readonly #pending = new Map<string, Pending>();
  #underWay = 0;
  #clearing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly redis: SharedRedis,
    private readonly secret: SharedSecret,
    private readonly crew: Crew,
  ) {
    const name = workQueueName(crew.own.version);
    const options = { prefix: secret.prefix, skipVersionCheck: true };
    this.#queue = new Queue(name, { ...options, connection: redis.commands });
    this.#events = new QueueEvents(name, {
      ...options,
      connection: redis.openWaiting(),
      lastEventId: FROM_THE_BEGINNING,
    });
    this.#queue.on('error', () => undefined);
    this.#events.on('error', () => undefined);
    this.#events.on('completed', ({ jobId, returnvalue }) => {
      this.#pending.get(jobId)?.resolve(returnvalue);
    });
    this.#events.on('failed', ({ jobId }) => {
      const message = 'A part of the analysis was lost with the worker that had it. Try again.';
      this.#pending.get(jobId)?.reject(new AnalyserError('redis', message));
    });
  }

  /** The outcomes in the order of the tasks. The first failure ends them all. */
  async perform(
    tasks: readonly Task[],
    signal: AbortSignal | undefined,
    onDone: (index: number, outcome: Success) => void,
  ): Promise<void> {
    const run = randomUUID();
    const stop = new AbortController();
    const ending = AbortSignal.any([stop.signal, ...(signal ? [signal] : [])]);
    const watching = this.#watchWorkers(stop);
    try {
      await this.#begin();
      const atOnce = Math.max(this.crew.workers.length, 1) * WAITING_PER_WORKER;
      await mapConcurrently(tasks, atOnce, async (task, index) => {
        try {
          onDone(index, await this.#perform(run, task, ending));
        } catch (error) {
          stop.abort(error);
          throw error;
        }
      });
    } catch (error) {
      this.redis.tell('ended', run);
      throw error;
    } finally {
      stop.abort();
      await Promise.all([watching, this.#end()]);
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#queue.close(), this.#events.close()]).catch(() => undefined);
  }

  /** What a process that died has left behind: only one run is under way at any time. */
  async #begin(): Promise<void> {
    this.#underWay += 1;
    if (this.#underWay === 1) this.#clearing = this.redis.ask(() => this.#queue.drain(true));
    await this.#clearing;
  }

  async #end(): Promise<void> {
    this.#underWay -= 1;
    if (this.#underWay > 0) return;
    await this.redis.ask(() => this.#queue.trimEvents(0)).catch(() => undefined);
  }

  async #perform(run: string, task: Task, signal: AbortSignal): Promise<Success> {
    signal.throwIfAborted();
    const id = randomUUID();
    const sealed = this.secret.seal(writeWork({ run, task }), taskPurpose(id));
    const answer = this.#answerTo(id, signal);
    const adding = this.redis.ask(() =>
      this.#queue.add(
        'work',
        { sealed },
        {
          jobId: id,
          removeOnComplete: true,
          removeOnFail: true,
          attempts: ATTEMPTS,
          backoff: { type: 'fixed', delay: 500 },
        },
      ),
    );
    const [sealedAnswer] = await Promise.all([answer, adding]).catch(async (error: unknown) => {
      await this.redis.ask(() => this.#queue.remove(id)).catch(() => undefined);
      throw error;
    });
    const outcome = readOutcome(
      this.secret.open(z.string().parse(sealedAnswer), answerPurpose(id)),
    );
    if (outcome.kind === 'failed') throw toError(outcome.failure);
    return outcome;
  }

  #answerTo(id: string, signal: AbortSignal): Promise<unknown> {
    return new Promise<unknown>((resolve, reject) => {
      const unfollow = onAbort(signal, () => {
        const reason: unknown = signal.reason;
        reject(reason);
      });
      this.#pending.set(id, {
        resolve(sealed) {
          unfollow();
          resolve(sealed);
        },
        reject(error) {
          unfollow();
          reject(error);
        },
      });
    }).finally(() => this.#pending.delete(id));
  }

  /** Without anybody to work, a run would wait until its time is over. */
  async #watchWorkers(stop: AbortController): Promise<void> {
    let since = performance.now();
    await repeat(500, stop.signal, () => {
      if (this.crew.workers.length > 0) since = performance.now();
      if (performance.now() - since > WITHOUT_WORKERS_MS) {
        stop.abort(new AnalyserError('redis', this.crew.problem));
      }
    });
  }
}
