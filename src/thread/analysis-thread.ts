import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { messageOf } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { fromWireError, toWireError } from '../base/wire-error.js';
import type { NamedTurn } from '../run/named-turn.js';
import type { Observer } from '../run/observer.js';
import type { ReadinessState } from '../run/readiness.js';
import { writeForwarded } from './forward.js';
import { type News, newsSchema, type Order } from './messages.js';
import type { ThreadData } from './thread-data.js';
import { threadEntry } from './thread-entry.js';

export interface AnalysisThreadOptions {
  /** All that the thread knows, the keys to the Pod among it. */
  data: ThreadData;
  log: Logger;
  /** Counts what the thread does; null: nobody does. */
  metrics: Observer | null;
  resourceLimits?: ResourceLimits;
  entry?: URL;
}

interface TurnInThread {
  id: string;
  turn: NamedTurn;
  resolve(): void;
  reject(error: Error): void;
}

/** Far above any analysis. One that needs more ends the thread and not the service. */
const DEFAULT_LIMITS: ResourceLimits = {
  maxOldGenerationSizeMb: 768,
  maxYoungGenerationSizeMb: 16,
};
/** An analysis that was stopped and has not ended by then never will. */
const STOP_LIMIT_MS = 20_000;
const CLOSE_LIMIT_MS = 5_000;
/** The doors open after the first try to log in, or after this time where the storage server hangs. */
const FIRST_LOGIN_MS = 15_000;
/** A thread that ended sooner is started again after a pause, or when a turn needs it. */
const SHORT_LIFE_MS = 10_000;
const RESTART_PAUSE_MS = 1_000;

const notStarted = 'The service is logging in.';
const lost = 'The thread that runs the analyses has ended and is being started again.';

/**
 * The analysis thread as the main thread sees it. It holds all keys, logs in, reads, sums, draws
 * and publishes; the main thread answers its callers meanwhile. When it dies, the analysis in
 * hand fails, and another is started.
 */
export class AnalysisThread {
  readonly #options: AnalysisThreadOptions;
  /** `started`: the first login was tried, or the thread is gone. `change`: `state` has changed. */
  readonly #events = new EventEmitter<{ started: []; change: [] }>();
  #worker: Worker | null = null;
  #startedAt = 0;
  #running: TurnInThread | null = null;
  #state: ReadinessState = { ready: false, reason: notStarted };
  #restart: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(options: AnalysisThreadOptions) {
    this.#options = options;
  }

  get state(): ReadinessState {
    return this.#state;
  }

  onChange(listener: () => void): void {
    this.#events.on('change', listener);
  }

  /** Settles with the first login, whatever comes of it, or when that takes too long. */
  async start(): Promise<void> {
    this.#start();
    const signal = AbortSignal.timeout(FIRST_LOGIN_MS);
    await once(this.#events, 'started', { signal }).catch(() => undefined);
  }

  asked(): void {
    this.#post({ kind: 'asked' });
  }

  /** What failed in this thread makes the service not ready as well. */
  failed(error: unknown): void {
    this.#post({ kind: 'failed', error: toWireError(error) });
  }

  /** Ends when every call of the turn has its answer; rejects with why they have none. */
  async analyse(turn: NamedTurn): Promise<void> {
    turn.signal.throwIfAborted();
    const id = randomUUID();
    this.#start();
    if (this.#worker === null) throw new Error('The service is shutting down.');
    let timer: NodeJS.Timeout | undefined;
    const stop = () => {
      this.#post({ kind: 'stop', turn: id, error: toWireError(turn.signal.reason) });
      timer = setTimeout(() => void this.#worker?.terminate(), STOP_LIMIT_MS);
    };
    turn.signal.addEventListener('abort', stop, { once: true });
    try {
      await new Promise<void>((resolve, reject) => {
        this.#running = { id, turn, resolve, reject };
        this.#post({ kind: 'analyse', turn: id, calls: [...turn.calls] });
      });
    } finally {
      clearTimeout(timer);
      turn.signal.removeEventListener('abort', stop);
      this.#running = null;
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#restart);
    const worker = this.#worker;
    if (worker === null) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    const timer = setTimeout(() => void worker.terminate(), CLOSE_LIMIT_MS);
    this.#post({ kind: 'close' });
    await ended;
    clearTimeout(timer);
  }

  #start(): void {
    if (this.#worker !== null || this.#isStopping) return;
    clearTimeout(this.#restart);
    const { entry = threadEntry(), data, resourceLimits = DEFAULT_LIMITS, log } = this.#options;
    const worker = new Worker(entry, {
      workerData: data,
      resourceLimits,
      name: 'analysis',
      // Not the whole environment, which may hold the token of the calls.
      env: { ...data.env },
    });
    this.#worker = worker;
    this.#startedAt = performance.now();
    worker.on('message', (message: unknown) => this.#hear(newsSchema.parse(message)));
    worker.on('error', (error) => log.error({ err: error }, 'The analysis thread failed.'));
    worker.on('exit', () => this.#exited(worker));
  }

  #exited(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#events.emit('started');
    if (this.#isStopping) return;
    this.#options.log.error('The analysis thread has ended; another one is started.');
    this.#options.metrics?.note({ kind: 'lost thread' });
    this.#setState({ ready: false, reason: lost });
    this.#running?.reject(new Error('The analysis thread has ended.'));
    const isShort = performance.now() - this.#startedAt < SHORT_LIFE_MS;
    this.#restart = setTimeout(() => this.#start(), isShort ? RESTART_PAUSE_MS : 0);
  }

  #post(order: Order): void {
    try {
      this.#worker?.postMessage(order);
    } catch (error) {
      this.#options.log.debug(
        { reason: messageOf(error) },
        'The analysis thread takes no message.',
      );
    }
  }

  #hear(news: News): void {
    switch (news.kind) {
      case 'started':
        this.#events.emit('started');
        break;
      case 'readiness':
        this.#setState({ ready: news.ready, reason: news.reason });
        break;
      case 'log':
        writeForwarded(this.#options.log, news.line);
        break;
      case 'observed':
        for (const event of news.events) this.#options.metrics?.note(event);
        break;
      default:
        this.#hearOfTurn(news);
    }
  }

  /** What comes late about a turn that has ended is ignored. */
  #hearOfTurn(news: Extract<News, { turn: string }>): void {
    const running = this.#running;
    if (running === null || running.id !== news.turn) return;
    switch (news.kind) {
      case 'commit':
        void this.#commit(running);
        break;
      case 'answer':
        running.turn.answer(news.call, news.report);
        break;
      case 'files':
        running.turn.onFiles(news.read, news.all);
        break;
      case 'ended':
        if (news.error === null) running.resolve();
        else running.reject(fromWireError(news.error));
        break;
    }
  }

  async #commit({ id, turn }: TurnInThread): Promise<void> {
    try {
      const goingOn = await turn.commit();
      this.#post({ kind: 'committed', turn: id, goingOn: [...goingOn] });
    } catch (error) {
      this.#post({ kind: 'refused', turn: id, error: toWireError(error) });
    }
  }

  #setState(state: ReadinessState): void {
    this.#state = state;
    this.#events.emit('change');
  }
}
