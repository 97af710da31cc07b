import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { ConcurrencyLimit } from '../base/concurrency.js';
import { AnalyserError } from '../base/errors.js';
import { onAbort } from '../base/on-abort.js';
import { fromWireError, type WireError } from '../base/wire-error.js';
import { TimeUpError } from '../run/read/deadline.js';
import type { AskingFiles, FileToRead, ReadTask } from '../run/read/read-task.js';
import type { FileOutcome } from '../run/table/row.js';
import { LOCK_MS, redisAway } from './shared-redis.js';
import type { SharedSecret } from './shared-secret.js';

export interface Task extends Pick<ReadTask, 'rules'>, Pick<AskingFiles, 'patienceMs' | 'isAgain'> {
  /** How much time is left for the files. A point in time would compare the clocks of two machines. */
  forMs: number;
  files: readonly FileToRead[];
}

/** Not checked further, because a process of the same build has sealed the value. */
const isObject = (value: unknown) => typeof value === 'object';
/** All parts of one piece of work (`PartsQueue.use`) have the same `workId`, and no other parts have it. */
export type Part = { workId: string; task: Task };
export const partSchema = z.custom<Part>(isObject);
export const fileReadings = z.custom<FileOutcome[]>(Array.isArray);
const failure = z.custom<WireError>(isObject).nullable();
export const outcomeSchema = z.object({ value: fileReadings.nullable(), error: failure });

/** This name of the queue contains the digest of the build, so that only workers of this build read the parts. */
export const partsName = (build: string) => `parts-${build}`;

/** Small, so that the workers share a common bound evenly. */
const REQUESTS_PER_PART = 4;

/** Turns bounds on requests into bounds on parts: `together` for all workers (0: no bound), `atOnce` for each. */
export function partBounds(scale: { max_requests: number; requests_per_worker: number }) {
  const { max_requests: all, requests_per_worker: perWorker } = scale;
  const requests = Math.min(REQUESTS_PER_PART, perWorker, all === 0 ? perWorker : all);
  const partsOf = (bound: number) => Math.floor(bound / requests);
  return { requests, together: partsOf(all), atOnce: partsOf(perWorker) };
}

/** The most events kept in Redis; each can hold the result of a part. */
const MOST_EVENTS = 1_000;
/** A part is tried again when its worker dies or gives it back. */
const RETRIES = { attempts: 5, backoff: { type: 'fixed', delay: 500 } };
/** Time for Redis, or a worker, to come back before an analysis is given up. */
const PATIENCE_MS = 10_000;
const lost = 'A part of the analysis was lost on its way to the workers. Try again.';
const noWorker =
  'No worker of the same build is ready to read: start one from the same package with the mode worker, or look at its log.';

export interface Jobs {
  readonly name: string;
  add(name: string, data: string, options: { jobId: string }): Promise<unknown>;
  remove(id: string): Promise<unknown>;
  obliterate(how: { force: boolean }): Promise<unknown>;
  getBackend(): { setQueueMeta(meta: Record<string, number>): Promise<unknown> };
  setGlobalConcurrency(most: number): Promise<unknown>;
  getRanges(types: ('wait' | 'active' | 'delayed')[], from: number, to: number): Promise<string[]>;
  getWorkers(): Promise<unknown[]>;
  trimEvents(most: number): Promise<number>;
}

interface JobEvents {
  on(kind: 'completed', listener: (event: { jobId: string; returnvalue: string }) => void): unknown;
  on(kind: 'failed', listener: (event: { jobId: string }) => void): unknown;
}

export interface PartsRedis {
  openQueue(name: string): Jobs;
  ask<T>(question: () => Promise<T>): Promise<T>;
  follow(jobs: Jobs): JobEvents;
}

/** A task that still waits for a worker when the signal aborts is taken back. */
type Perform = (task: Task, signal?: AbortSignal) => Promise<FileOutcome[]>;

export class PartsQueue {
  readonly #jobs: Jobs;
  readonly #oneAtATime = new ConcurrencyLimit(1);
  /** Called with the sealed result, or with null when the part was lost or the work was aborted. */
  readonly #pending = new Map<string, (sealed: unknown) => void>();
  /** The pending parts that were not in Redis at the last look. */
  #missing: readonly string[] = [];
  #wellAt = performance.now();
  /** Aborts the work that has the queue. */
  #failing: AbortController | null = null;
  /** Opened only when needed, because the events carry all results. */
  #events: JobEvents | null = null;

  constructor(
    private readonly redis: PartsRedis,
    private readonly secret: SharedSecret,
    build: string,
    private readonly together: number,
  ) {
    this.#jobs = redis.openQueue(partsName(build));
  }

  /**
   * Gives the queue to one piece of work at a time. Its tasks share what workers learn on the way. The first task that
   * fails ends all of them, and the work through its signal; a task whose time is up does not.
   */
  use<R>(
    signal: AbortSignal | undefined,
    work: (perform: Perform, ending: AbortSignal) => Promise<R>,
  ): Promise<R> {
    return this.#oneAtATime.run(async () => {
      const workId = randomUUID();
      const failing = new AbortController();
      const ending = AbortSignal.any([failing.signal, ...(signal ? [signal] : [])]);
      const perform: Perform = async (task, ownSignal = ending) => {
        const performing = this.#perform({ workId, task }, [ending, ownSignal]);
        performing.catch((error: unknown) => {
          if (!(error instanceof TimeUpError)) failing.abort(error);
        });
        return await performing;
      };
      this.#failing = failing;
      try {
        await this.#clear();
        this.#events ??= this.#follow();
        return await work(perform, ending);
      } finally {
        this.#failing = null;
        await this.#clear().catch(() => undefined);
        // Waits until the workers have stopped these parts: a worker stops a part when it cannot renew the lock of the
        // part.
        if (ending.aborted) await pause(LOCK_MS / 2);
      }
    });
  }

  /**
   * Finds out whether a worker is there to read; returns why nothing can be read, for callers, or an empty text. It is
   * called repeatedly. If nothing could be read for some seconds, or a part stays lost, it gives up the work that has
   * the queue.
   */
  async look(): Promise<string> {
    const before = new Set(this.#missing);
    const problem = await this.#look().catch((error: unknown) =>
      error instanceof AnalyserError ? error.message : redisAway,
    );
    const isLost = this.#missing.some((id) => before.has(id));
    if (problem === '' && !isLost) this.#wellAt = performance.now();
    if (performance.now() - this.#wellAt >= PATIENCE_MS) {
      this.#failing?.abort(new AnalyserError('redis', problem || lost));
    }
    return problem;
  }

  async #look(): Promise<string> {
    const { redis } = this;
    const jobs = this.#jobs;
    const pending = [...this.#pending.keys()];
    const ids = await redis.ask(() => jobs.getRanges(['wait', 'active', 'delayed'], 0, -1));
    const there = new Set(ids);
    // The result of a missing part may still be on its way.
    this.#missing = pending.filter((id) => !there.has(id) && this.#pending.has(id));
    const workers = await redis.ask(() => jobs.getWorkers());
    return workers.length > 0 ? '' : noWorker;
  }

  /** Removes what a dead process left, or nobody wants any more; the settings of the queue go too, and are set again. */
  #clear(): Promise<void> {
    return this.redis.ask(async () => {
      await this.#jobs.obliterate({ force: true });
      await this.#jobs.getBackend().setQueueMeta({ 'opts.maxLenEvents': MOST_EVENTS });
      if (this.together > 0) await this.#jobs.setGlobalConcurrency(this.together);
    });
  }

  #follow(): JobEvents {
    const events = this.redis.follow(this.#jobs);
    events.on('completed', ({ jobId, returnvalue }) => this.#pending.get(jobId)?.(returnvalue));
    events.on('failed', ({ jobId }) => this.#pending.get(jobId)?.(null));
    return events;
  }

  async #perform(part: Part, signals: readonly AbortSignal[]): Promise<FileOutcome[]> {
    const id = randomUUID();
    const sealed = this.secret.seal(part, `part ${id}`);
    const answer = new Promise<unknown>((resolve) => this.#pending.set(id, resolve));
    const stopped = signals.map((signal) => onAbort(signal, () => this.#pending.get(id)?.(null)));
    const check = () => signals.forEach((signal) => signal.throwIfAborted());
    try {
      check();
      await this.redis.ask(() => this.#jobs.add('part', sealed, { jobId: id, ...RETRIES }));
      const outcome = this.secret.open(outcomeSchema, await answer, `outcome ${id}`);
      check();
      if (outcome === null) throw new AnalyserError('redis', lost);
      if (outcome.error !== null) throw fromWireError(outcome.error);
      return outcome.value ?? [];
    } catch (error) {
      // The part is removed: otherwise workers would read it before the parts that are wanted.
      if (error instanceof TimeUpError) {
        await this.redis.ask(() => this.#jobs.remove(id)).catch(() => undefined);
      }
      throw error;
    } finally {
      for (const forget of stopped) forget();
      this.#pending.delete(id);
    }
  }
}
