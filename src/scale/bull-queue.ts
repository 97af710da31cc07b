import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Job, Queue, QueueEventsProducer } from 'bullmq';
import { z } from 'zod';
import { AnalyserError } from '../base/errors.js';
import {
  type AnalysisQueue,
  type CancelledCall,
  type NewCall,
  QueueFullError,
  type QueueLimits,
  type RecordedRun,
  type RunTurn,
} from '../queue/analysis-queue.js';
import {
  type AnalysisReport,
  analysisReport,
  isRecorded,
  reportWithoutResult,
} from '../queue/analysis-report.js';
import { QueuedCall } from '../queue/queued-call.js';
import { RunningTurn } from '../queue/running-turn.js';
import { type StopReason, stopError } from '../queue/stop-reasons.js';
import type { Presence } from './presence.js';
import { repeat } from './repeat.js';
import {
  type BullWorker,
  LOCK_MS,
  redisAway,
  type SharedRedis,
  type StopListener,
} from './shared-redis.js';
import type { SharedSecret } from './shared-secret.js';
import { Turns } from './turns.js';

/** What Status tells is at most so old, and what events did not tell is found out by then. */
const LOOK_MS = 2_000;
/** Without Redis for so long, others may have the turn. */
const AWAY_MS = 6_000;
/** A worker that is started anew is back by then. */
const WITHOUT_WORKERS_MS = 10_000;
/** So long a turn waits for Redis to take its answers; what is taken later is heard as well. */
const LAST_ANSWERS_MS = 3_000;
/** What a process that dies leaves of a call is gone after a day. */
const MARK_S = 24 * 3600;
/** A call that has brought down so many processes brings down every one. */
const MOST_LOSSES = 3;

const callSchema = z.object({ webId: z.string(), traceparent: z.string().optional() });
const progressSchema = z.object({ run: z.string() }).catch({ run: '' });

interface TakenCall {
  queued: QueuedCall;
  isOwn: boolean;
  /** Null for one that is known to this process alone. */
  job: Job<unknown, string> | null;
  token: string;
}

interface BullQueueSettings {
  redis: SharedRedis;
  secret: SharedSecret;
  presence: Presence;
  version: string;
  limits: QueueLimits;
  runTurn: RunTurn;
  lastRun: RecordedRun;
  /** Called at every look at Redis. */
  onLook: () => Promise<void>;
}

/**
 * The queue of many processes. A call is a job, sealed, which whoever has the turn takes and
 * completes with the sealed reply; its door hears of that through the events of the queue.
 */
export class BullQueue implements AnalysisQueue {
  lastRun: RecordedRun;
  readonly #settings: BullQueueSettings;
  readonly #redis: SharedRedis;
  readonly #calls: Queue;
  readonly #producer: QueueEventsProducer;
  /** Takes calls by hand, so that one turn serves many; BullMQ still watches their locks. */
  readonly #hand: BullWorker;
  readonly #turns: Turns;
  /** Of this door, without an answer yet. */
  readonly #own = new Map<string, QueuedCall>();
  /** Ids of the calls of every door, as far as this one has heard. */
  #known = new Set<string>();
  #taken: TakenCall[] = [];
  #running: RunningTurn | null = null;
  /** Calls that were stopped since this turn began, perhaps before they were taken. */
  readonly #stopped = new Set<string>();
  #isAway = true;
  #seenAt = performance.now();
  #withWorkersAt = performance.now();
  #isClosed = false;
  #isStopping = false;
  readonly #listeners: Array<() => void> = [];
  readonly #onEmpty: Array<() => void> = [];

  constructor(settings: BullQueueSettings) {
    const { redis, version, lastRun } = settings;
    this.#settings = settings;
    this.#redis = redis;
    this.lastRun = lastRun;
    this.#calls = redis.openQueue(`calls-${version}`);
    this.#producer = redis.openProducer(this.#calls.name);
    this.#hand = redis.openWorker(this.#calls.name, null, { maxStalledCount: MOST_LOSSES });
    void this.#hand.startStalledCheckTimer();
    this.#turns = new Turns(redis, version, {
      serve: (hold) => this.#serve(hold),
      onRenewed: () => this.#renewCalls(),
      onLost: () => this.#running?.stopAll(stopError('turn lost')),
      onEnd: () => this.#adjust(),
    });
    this.#listen();
    void repeat(LOOK_MS, redis.closing, () => this.#look());
  }

  get inHand(): number {
    return this.#known.size;
  }

  get problem(): string {
    return this.#isAway ? redisAway : this.#settings.presence.problem;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async enqueue(call: NewCall, hungUp: AbortSignal): Promise<AnalysisReport> {
    const refusal = this.#isClosed ? 'shutdown' : hungUp.aborted ? 'caller gone' : null;
    if (refusal !== null) return reportWithoutResult('CANCELLED', stopError(refusal).message);
    const { webId, peer, traceparent } = call;
    const { secret } = this.#settings;
    const id = `${this.#callerName(webId)}.${secret.nameOf(`peer ${peer}`)}.${randomUUID()}`;
    this.#requireRoom(id);
    this.#known.add(id);
    const queued = new QueuedCall(call, id);
    const hangUp = () => this.#stop(queued, this.#isClosed ? 'shutdown' : 'caller gone');
    try {
      const sealed = secret.seal({ webId, traceparent }, `call ${id}`);
      // What an operator starts stays in the process that prints its outcome.
      if (webId !== null) await this.#ask(() => this.#calls.add('call', sealed, { jobId: id }));
      this.#own.set(id, queued);
      hungUp.addEventListener('abort', hangUp, { once: true });
      if (hungUp.aborted || this.#isClosed) hangUp();
      await this.#turns.ask();
      this.#adjust();
      const report = await queued.answered;
      this.#remember(report);
      return report;
    } finally {
      hungUp.removeEventListener('abort', hangUp);
      this.#own.delete(id);
      this.#known.delete(id);
      this.#adjust();
    }
  }

  /** Redis is asked as well as the memory: another door's call may be news to this one. */
  async cancel(webId: string): Promise<CancelledCall[]> {
    const ids = new Set([...this.#own.keys(), ...(await this.#listCalls())]);
    const meant = [...ids].filter((id) => id.startsWith(`${this.#callerName(webId)}.`));
    const found = await Promise.all(meant.map((id) => this.#stopJob(id)));
    return found.filter((one) => one !== null);
  }

  close(): void {
    this.#isClosed = true;
    for (const queued of this.#own.values()) {
      if (queued.state === 'waiting') this.#stop(queued, 'shutdown');
    }
  }

  stopRunning(): void {
    this.#isStopping = true;
    this.#running?.stopAll(stopError('shutdown'));
    for (const queued of this.#own.values()) this.#stop(queued, 'shutdown');
  }

  async whenEmpty(): Promise<void> {
    if (this.#own.size === 0 && !this.#turns.isHeld) return;
    await new Promise<void>((resolve) => this.#onEmpty.push(resolve));
  }

  /** Doors may let in as many too much as are on their way to Redis. */
  #requireRoom(id: string): void {
    const { limits } = this.#settings;
    const [caller, peer] = id.split('.');
    const others = [...this.#known].map((one) => one.split('.'));
    const counts = {
      all: others.length,
      perCaller: others.filter(([one]) => one === caller).length,
      perPeer: others.filter(([, one]) => one === peer).length,
    };
    for (const limit of ['all', 'perCaller', 'perPeer'] as const) {
      if (counts[limit] >= limits[limit]) throw new QueueFullError(limit);
    }
  }

  #adjust(): void {
    this.#turns.want(this.#own.size > 0);
    if (this.#own.size > 0 || this.#turns.isHeld) return;
    for (const resolve of this.#onEmpty.splice(0)) resolve();
  }

  #listen(): void {
    const events = this.#redis.follow(this.#calls);
    const end = (id: string, answer: (queued: QueuedCall) => void) => {
      this.#known.delete(id);
      const queued = this.#own.get(id);
      if (queued !== undefined) answer(queued);
    };
    events.on('added', ({ jobId }) => this.#known.add(jobId));
    events.on('active', ({ jobId }) => {
      const queued = this.#own.get(jobId);
      // What this process has taken begins with its turn.
      if (queued?.state !== 'waiting' || this.#turns.isHeld) return;
      queued.state = 'running';
      queued.call.onTurn?.();
    });
    events.on('completed', ({ jobId, returnvalue }) => {
      const report = this.#open(analysisReport, returnvalue, `report ${jobId}`);
      this.#remember(report);
      end(jobId, (queued) => {
        if (report === null) queued.answerStopped(stopError('turn lost'));
        else queued.answer(report);
      });
    });
    events.on('failed', ({ jobId }) => {
      end(jobId, (queued) => queued.answerStopped(new Error('The job of this call failed.')));
    });
    events.on('removed', ({ jobId }) => {
      const reason = this.#isClosed ? 'shutdown' : 'cancel';
      end(jobId, (queued) => queued.answerStopped(stopError(reason)));
    });
    events.on<StopListener>('stop', ({ name }: { name: string }) => this.#stopTaken(name));
  }

  async #look(): Promise<void> {
    const { presence, onLook } = this.#settings;
    const before = this.problem;
    try {
      const own = [...this.#own.values()];
      const ids = new Set(await this.#listCalls());
      await presence.look();
      await onLook();
      // BullMQ keeps one turn, however often it is asked for.
      if (own.length > 0) await this.#turns.ask();
      this.#known = new Set([...ids, ...this.#own.keys()]);
      const missing = own.filter(({ id, call }) => call.webId !== null && !ids.has(id));
      // What has ended has told so in events that may still be on their way.
      setTimeout(() => this.#answerStopped(missing, 'turn lost'), LOOK_MS).unref();
      this.#isAway = false;
      this.#seenAt = performance.now();
      if (presence.problem === '') this.#withWorkersAt = this.#seenAt;
      else if (this.#seenAt - this.#withWorkersAt > WITHOUT_WORKERS_MS) {
        this.#running?.stopAll(new AnalyserError('redis', presence.problem));
      }
    } catch {
      this.#isAway = true;
      if (performance.now() - this.#seenAt > AWAY_MS) {
        this.#running?.stopAll(stopError('turn lost'));
        this.#answerStopped(this.#own.values(), 'turn lost');
      }
    }
    this.#adjust();
    if (this.problem !== before) for (const listener of this.#listeners) listener();
  }

  /** But for what runs here, and is answered from here. */
  #answerStopped(calls: Iterable<QueuedCall>, reason: StopReason): void {
    for (const queued of calls) {
      if (!this.#running?.find(queued.id)) queued.answerStopped(stopError(reason));
    }
  }

  /** A call that runs elsewhere is answered as soon as it is sure that it does not publish. */
  #stop(queued: QueuedCall, reason: StopReason): void {
    const answer = () => this.#answerStopped([queued], reason);
    if (queued.call.webId === null) answer();
    else this.#stopJob(queued.id).then((found) => found?.stopped === true && answer(), answer);
  }

  /** Null for a call that has ended. */
  async #stopJob(id: string): Promise<CancelledCall | null> {
    const isStopped = await this.#mark(id, 'stopped');
    // A call ends before its mark goes: what is found now has not passed its last checkpoint.
    const job = await this.#ask(() => this.#calls.getJob(id));
    const { run: runId } = progressSchema.parse(job?.progress);
    if (job && !isStopped) return { runId, stopped: false };
    const isRemoved = job && (await this.#ask(() => this.#calls.remove(id))) === 1;
    if (!job || isRemoved) await this.#unmark(id);
    else await this.#ask(() => this.#producer.publishEvent({ eventName: 'stop', name: id }));
    return job ? { runId, stopped: true } : null;
  }

  #stopTaken(id: string): void {
    this.#stopped.add(id);
    const queued = this.#running?.find(id);
    if (queued !== undefined) this.#running?.stop(queued, stopError('cancel'));
  }

  async #serve(hold: () => Promise<void>): Promise<void> {
    this.#stopped.clear();
    try {
      await this.#take();
      if (this.#taken.length > 0) await this.#run(hold);
    } finally {
      this.#running = null;
      this.#taken = [];
    }
    const left = await this.#ask(() => this.#calls.getWaitingCount());
    if (left > 0) await this.#turns.ask();
  }

  /** Without callers of its own, a process takes nobody's. */
  async #take(): Promise<void> {
    const everybody = [...this.#own.values()].find(({ call }) => call.webId === null);
    if (everybody) this.#taken.push({ queued: everybody, isOwn: true, job: null, token: '' });
    const { callersPerTurn } = this.#settings.limits;
    while (this.#own.size > 0 && !everybody && this.#taken.length < callersPerTurn) {
      const token = randomUUID();
      const job = await this.#nextJob(token);
      if (job === undefined) return;
      const { id = '', data, deferredFailure } = job;
      const call = this.#open(callSchema, data, `call ${id}`);
      const own = this.#own.get(id);
      if (call === null || deferredFailure || own?.state === 'answered') {
        await job.moveToFailed(new Error('This call cannot be served.'), token);
        continue;
      }
      const queued = own ?? new QueuedCall({ ...call, peer: '' }, id);
      this.#taken.push({ queued, isOwn: own !== undefined, job, token });
    }
  }

  /** There may be none, whatever the types of BullMQ say. */
  async #nextJob(token: string): Promise<Job<unknown, string> | undefined> {
    return await this.#hand.getNextJob(token, { block: false });
  }

  async #run(hold: () => Promise<void>): Promise<void> {
    const calls = this.#taken.map(({ queued }) => queued);
    const running = new RunningTurn(calls, {
      previousRunId: (await this.#get('last-id')) ?? '',
      named: ({ id, runId }) => this.#name(id, runId),
      commit: async (ids) => {
        await hold();
        const stands = await Promise.all(ids.map((id) => this.#mark(id, 'committed')));
        return new Set(ids.filter((_, index) => stands[index]));
      },
    });
    this.#running = running;
    const answers = this.#taken.map((taken) => this.#deliver(taken).catch(() => undefined));
    const ended = running.run(this.#settings.runTurn);
    for (const id of this.#stopped) this.#stopTaken(id);
    await ended;
    await Promise.race([Promise.all(answers), pause(LAST_ANSWERS_MS)]);
  }

  #renewCalls(): void {
    for (const { job, token } of this.#taken) {
      job?.extendLock(token, LOCK_MS).catch(() => undefined);
    }
  }

  #name(id: string, run: string): void {
    const job = this.#taken.find(({ queued }) => queued.id === id)?.job;
    this.#ask((redis) => redis.set(this.#redis.key('last-id'), run)).catch(() => undefined);
    job?.updateProgress({ run }).catch(() => undefined);
  }

  /** Fails when the call is another's by now, who then answers it. */
  async #deliver({ queued, isOwn, job, token }: TakenCall): Promise<void> {
    const { secret } = this.#settings;
    const { id } = queued;
    const report = await queued.answered;
    // Callers of other doors do not suffer when this one shuts down.
    const isFinal = isOwn || this.#stopped.has(id) || report.status !== 'CANCELLED';
    if (this.#isStopping && !isFinal) await job?.moveToWait(token);
    else await job?.moveToCompleted(secret.seal(report, `report ${id}`), token, false);
    await this.#unmark(id);
  }

  /** The first word about a call stands; answers whether it is this one. */
  async #mark(id: string, word: 'stopped' | 'committed'): Promise<boolean> {
    const key = this.#redis.key(`mark:${id}`);
    const isFirst = await this.#ask((redis) => redis.set(key, word, 'EX', MARK_S, 'NX'));
    return isFirst === 'OK' || (await this.#get(`mark:${id}`)) === word;
  }

  async #unmark(id: string): Promise<void> {
    await this.#ask((redis) => redis.del(this.#redis.key(`mark:${id}`)));
  }

  #get(name: string): Promise<string | null> {
    return this.#ask((redis) => redis.get(this.#redis.key(name)));
  }

  #ask: SharedRedis['ask'] = (question) => this.#redis.ask(question);

  #listCalls(): Promise<string[]> {
    return this.#ask(() => this.#calls.getRanges(['wait', 'active'], 0, -1));
  }

  /** Callers are known in Redis by a keyed name only. */
  #callerName(webId: string | null): string {
    return this.#settings.secret.nameOf(webId === null ? 'everybody' : `caller ${webId}`);
  }

  /** Null for what nobody of us has sealed: it is as if it were not there. */
  #open<T>(schema: z.ZodType<T>, sealed: unknown, purpose: string): T | null {
    try {
      return schema.parse(this.#settings.secret.open(sealed, purpose));
    } catch {
      return null;
    }
  }

  #remember(report: AnalysisReport | null): void {
    if (report === null || !isRecorded(report) || report.run_id <= this.lastRun.id) return;
    this.lastRun = { id: report.run_id, at: report.generated_at };
  }
}
