import { randomUUID } from 'node:crypto';
import type { Job, Queue } from 'bullmq';
import { z } from 'zod';
import { type AnalysisReport, analysisReport } from '../queue/analysis-report.js';
import { QueuedCall } from '../queue/running-turn.js';
import type { FoundCall, NewCall } from '../queue/turn.js';
import type { BullWorker, SharedRedis } from './shared-redis.js';
import type { SharedSecret } from './shared-secret.js';

/** Marks that a dead process left expire after a day. */
const MARK_S = 24 * 3600;

const callSchema = z.object({
  webId: z.string(),
  caller: z.string(),
  traceparent: z.string().optional(),
});
/** The run id of a call, once it has one, and whether the call is to stop. */
const progress = z.object({ runId: z.string(), isStopped: z.boolean() });
export const progressSchema = progress.catch({ runId: '', isStopped: false });

/** A call that this process has taken, so that nobody else can complete it. */
export interface TakenCall {
  queued: QueuedCall;
  job: Job<unknown>;
  token: string;
}

/** The calls of all doors. Each is a sealed job, whose return value is the sealed reply. */
export class Calls {
  readonly queue: Queue;
  /** Takes jobs by hand, so that one turn serves many; BullMQ still watches their locks. */
  readonly #taker: BullWorker;

  constructor(
    private readonly redis: SharedRedis,
    private readonly secret: SharedSecret,
    version: string,
  ) {
    this.queue = redis.openQueue(`calls-${version}`);
    this.#taker = redis.openWorker(this.queue.name, null, {});
    void this.#taker.startStalledCheckTimer();
  }

  /** Redis knows the caller and the network address by keyed names only. */
  newId({ caller, peer }: Pick<NewCall, 'caller' | 'peer'>): string {
    const names = [`caller ${caller}`, `peer ${peer}`].map((text) => this.secret.nameOf(text));
    return [...names, randomUUID()].join('.');
  }

  async add({ id, call: { webId, caller, traceparent } }: QueuedCall): Promise<void> {
    const sealed = this.secret.seal({ webId, caller, traceparent }, `call ${id}`);
    await this.redis.ask(() => this.queue.add('call', sealed, { jobId: id }));
  }

  /** Null when nobody waits. `ownCalls` are those of this door. */
  async take(ownCalls: ReadonlyMap<string, QueuedCall>): Promise<TakenCall | null> {
    const token = randomUUID();
    // Undefined when there is none, though the types of BullMQ do not say so.
    const next: Promise<Job<unknown> | undefined> = this.#taker.getNextJob(token, { block: false });
    const job = await next;
    if (job === undefined) return null;
    const { id = '', data, deferredFailure } = job;
    const call = this.secret.open(callSchema, data, `call ${id}`);
    if (call !== null && !deferredFailure) {
      return { queued: ownCalls.get(id) ?? new QueuedCall({ ...call, peer: '' }, id), job, token };
    }
    await job.moveToFailed(new Error('This call cannot be served.'), token);
    return await this.take(ownCalls);
  }

  async complete({ queued: { id }, job, token }: TakenCall, report: AnalysisReport) {
    await job.moveToCompleted(this.secret.seal(report, `report ${id}`), token, false);
    await this.redis.ask((redis) => redis.del(`${this.redis.prefix}:mark:${id}`));
  }

  openReport(id: string, sealed: unknown): AnalysisReport | null {
    return this.secret.open(analysisReport, sealed, `report ${id}`);
  }

  /** Stops a call; null for one that has ended. */
  async stop(id: string): Promise<FoundCall | null> {
    const stopped = await this.mark(id, 'stopped');
    return await this.redis.ask(async () => {
      // A call ends before its mark is removed, so one that is found now has not ended.
      const job = await this.queue.getJob(id);
      if (!job) return null;
      const { runId } = progressSchema.parse(job.progress);
      const isRemoved = stopped && (await this.queue.remove(id)) === 1;
      // Only the mark decides; this tells the process that has the call.
      const told = { runId, isStopped: true };
      if (stopped && !isRemoved) await job.updateProgress(told).catch(() => undefined);
      return { runId, stopped };
    });
  }

  /** The first mark of a call stands; returns whether it is this one. */
  mark(id: string, word: 'stopped' | 'committed'): Promise<boolean> {
    const key = `${this.redis.prefix}:mark:${id}`;
    return this.redis.ask(async (redis) => {
      const isFirst = (await redis.set(key, word, 'EX', MARK_S, 'NX')) === 'OK';
      return isFirst || (await redis.get(key)) === word;
    });
  }
}
