import type { Job, Queue } from 'bullmq';
import { AnalyserError } from '../base/errors.js';
import { AnalysisQueue, type QueueSettings } from '../queue/analysis-queue.js';
import { stopError } from '../queue/analysis-report.js';
import { QueuedCall, RunningTurn } from '../queue/running-turn.js';
import type { FoundCall, NewCall } from '../queue/turn.js';
import { type Calls, progressSchema, type TakenCall } from './shared-calls.js';
import { type BullWorker, LOCK_MS, redisAway, type SharedRedis } from './shared-redis.js';

/** How often Redis is asked for the calls, so that Status is right even when events get lost. */
const REFRESH_MS = 2_000;
/** Time for Redis, or a worker, to come back before callers are answered FAILED. */
const PATIENCE_MS = 10_000;

/**
 * The queue of many processes. The turn is a job, of which one at a time is active over all
 * processes and versions; its process serves the calls of every door, which are jobs as well.
 */
export class BullQueue extends AnalysisQueue {
  override problem = redisAway;
  readonly #turns: Queue;
  readonly #worker: BullWorker;
  /** Ids of the calls of every door that this one knows of. */
  #known = new Set<string>();
  #taken: TakenCall[] = [];
  #isStopping = false;
  #wellAt = performance.now();

  /** `findProblem` says why nothing can be read, for callers; empty when it can. */
  constructor(
    private readonly redis: SharedRedis,
    private readonly calls: Calls,
    findProblem: () => Promise<string>,
    ...door: QueueSettings
  ) {
    super(...door);
    this.#turns = redis.openQueue('turns');
    // A process that dies does not make the turn fail; another process gets it.
    const options = { autorun: false, maxStalledCount: Number.MAX_SAFE_INTEGER };
    this.#worker = redis.openWorker('turns', (job, token) => this.#serve(job, token), options);
    this.#worker.on('lockRenewalFailed', () => this.running?.stopAll(stopError('turn lost')));
    // BullMQ renews only locks of jobs that it has handed out itself.
    this.#worker.on('locksRenewed', () => {
      for (const { job, token } of this.#taken) {
        job.extendLock(token, LOCK_MS).catch(() => undefined);
      }
    });
    this.#listen();
    void redis.repeat(REFRESH_MS, () => this.#refresh(findProblem));
  }

  get inHand(): number {
    return this.#known.size;
  }

  async cancel(caller: string): Promise<FoundCall[]> {
    const name = originOf(this.calls.newId({ caller, peer: '' })).caller;
    const meant = (await this.#list()).filter((id) => originOf(id).caller === name);
    const found = await Promise.all(meant.map((id) => this.calls.stop(id)));
    return found.filter((call) => call !== null);
  }

  override stopRunning(): void {
    this.#isStopping = true;
    super.stopRunning();
    for (const queued of this.ownCalls.values()) this.withdraw(queued, stopError('shutdown'));
  }

  /** Calls that other doors add at the same moment can exceed the limit. */
  protected admit(call: NewCall): QueuedCall {
    const id = this.calls.newId(call);
    this.requireRoom(originOf(id), [...this.#known].map(originOf));
    this.#known.add(id);
    return new QueuedCall(call, id);
  }

  protected async addToQueue(queued: QueuedCall): Promise<void> {
    // Run-once stays in this process, which prints its outcome.
    if (queued.call.webId !== null) await this.calls.add(queued);
    this.ownCalls.set(queued.id, queued);
    await this.#askForTurn();
    this.#takeTurns();
  }

  /** Usually an event answers the call; not when it is not in Redis, or Redis is away. */
  protected override withdraw(queued: QueuedCall, error: AnalyserError): void {
    if (queued.call.webId === null) super.withdraw(queued, error);
    else this.calls.stop(queued.id).catch(() => super.withdraw(queued, error));
  }

  protected override leave(queued: QueuedCall): void {
    super.leave(queued);
    this.#known.delete(queued.id);
    this.#takeTurns();
  }

  #listen(): void {
    const events = this.redis.follow(this.calls.queue);
    const stop = (id: string) => {
      const queued = this.running?.find(id) ?? this.ownCalls.get(id);
      if (queued) this.stop(queued, stopError(this.isClosed ? 'shutdown' : 'cancel'));
    };
    events.on('added', ({ jobId }) => this.#known.add(jobId));
    events.on('active', ({ jobId }) => this.ownCalls.get(jobId)?.begin());
    events.on('removed', ({ jobId }) => {
      this.#known.delete(jobId);
      stop(jobId);
    });
    events.on('progress', ({ jobId, data }) => {
      if (progressSchema.parse(data).isStopped) stop(jobId);
    });
    events.on('completed', ({ jobId, returnvalue }) => {
      this.#known.delete(jobId);
      const report = this.calls.openReport(jobId, returnvalue);
      if (report === null) return;
      this.noteLastRun(report);
      this.ownCalls.get(jobId)?.answer(report);
    });
  }

  async #refresh(findProblem: () => Promise<string>): Promise<void> {
    const ownCalls = [...this.ownCalls.values()];
    try {
      const ids = new Set(await this.#list());
      this.#known = new Set([...ids, ...this.ownCalls.keys()]);
      const missing = ownCalls.filter(({ id, call }) => call.webId !== null && !ids.has(id));
      // The events of calls that have ended may still be on their way.
      setTimeout(() => {
        for (const queued of missing) this.stop(queued, stopError('turn lost'));
      }, REFRESH_MS).unref();
      if (ownCalls.length > 0) await this.#askForTurn();
      this.tellProblem(await findProblem());
    } catch {
      this.tellProblem(redisAway);
    }
    if (this.problem === '') this.#wellAt = performance.now();
    if (performance.now() - this.#wellAt < PATIENCE_MS) return;
    const error = new AnalyserError('redis', this.problem);
    for (const queued of ownCalls) {
      this.stop(queued, error);
      this.withdraw(queued, error);
    }
  }

  #list(): Promise<string[]> {
    return this.redis.ask(() => this.calls.queue.getRanges(['wait', 'active'], 0, -1));
  }

  /** BullMQ keeps one turn, and one more for calls that come while that is active. */
  #askForTurn(): Promise<unknown> {
    const deduplication = { id: 'turn', keepLastIfActive: true };
    return this.redis.ask(async () => {
      // Redis may have lost the setting.
      await this.#turns.setGlobalConcurrency(1);
      await this.#turns.add('turn', {}, { deduplication });
    });
  }

  /** A process takes turns while it has callers, and lets others go first after each one. */
  #takeTurns(): void {
    const isWanted = this.ownCalls.size > 0 && this.running === null;
    void (isWanted ? this.#worker.resume() : this.#worker.pause(true));
  }

  async #serve({ id = '' }: Job, token = ''): Promise<string> {
    // Otherwise BullMQ would hand the next turn to this process again when this one ends.
    void this.#worker.pause(true);
    /** Throws when another process may have the turn by now. */
    const hold = async () => {
      const job = await this.redis.ask(() => this.#turns.getJob(id));
      const isHeld = job && (await this.redis.ask(() => job.extendLock(token, LOCK_MS))) === 1;
      if (!isHeld) throw stopError('turn lost');
    };
    try {
      const runOnce = [...this.ownCalls.values()].find(({ call }) => call.webId === null);
      while (runOnce === undefined && this.#taken.length < this.limits.callersPerTurn) {
        const taken = await this.calls.take(this.ownCalls);
        if (taken === null) break;
        this.#taken.push(taken);
      }
      const calls = this.#taken.map(({ queued }) => queued);
      await this.#run(runOnce === undefined ? calls : [runOnce], hold);
      const waiting = await this.redis.ask(() => this.calls.queue.getWaitingCount());
      if (waiting > 0) await this.#askForTurn();
    } finally {
      this.running = null;
      this.#taken = [];
      // After BullMQ has ended the job.
      setImmediate(() => this.#takeTurns());
    }
    return '';
  }

  async #run(calls: QueuedCall[], hold: () => Promise<void>): Promise<void> {
    const lastId = `${this.redis.prefix}:last-id`;
    const previousRunId = (await this.redis.ask((redis) => redis.get(lastId))) ?? '';
    const delivering = this.#taken.map((taken) => this.#deliver(taken).catch(() => undefined));
    // Some calls may have been stopped while they were taken.
    const unanswered = calls.filter(({ state }) => state !== 'answered');
    this.running = new RunningTurn(unanswered, {
      previousRunId,
      named: (call) => {
        const { runId } = call;
        const job = this.#taken.find(({ queued }) => queued === call)?.job;
        this.redis.ask((redis) => redis.set(lastId, runId)).catch(() => undefined);
        job?.updateProgress({ runId, isStopped: false }).catch(() => undefined);
      },
      commit: async (ids) => {
        await hold();
        const stands = await Promise.all(ids.map((id) => this.calls.mark(id, 'committed')));
        return new Set(ids.filter((_, index) => stands[index]));
      },
    });
    if (unanswered.length > 0) await this.running.run(this.runTurn);
    await Promise.all(delivering);
  }

  /** Rejects when another process has the call by now and answers it. */
  async #deliver(taken: TakenCall): Promise<void> {
    const { queued, job, token } = taken;
    const isOwn = this.ownCalls.has(queued.id);
    const report = await queued.answered;
    // A call of another door goes back to the queue when this process shuts down.
    const isGivenBack = this.#isStopping && !isOwn && report.status === 'CANCELLED';
    if (isGivenBack) await job.moveToWait(token);
    else await this.calls.complete(taken, report);
  }
}

/** The keyed names in an id, equal for the same caller and for the same network address. */
function originOf(id: string): { caller: string; peer: string } {
  const [caller = '', peer = ''] = id.split('.');
  return { caller, peer };
}
