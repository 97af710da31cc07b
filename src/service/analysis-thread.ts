import { EventEmitter, once } from 'node:events';
import { extname } from 'node:path';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { Logger } from '../base/logger.js';
import { toWireError } from '../base/wire-error.js';
import type { Observer } from '../run/observer.js';
import type { OnFiles } from '../run/read/read-task.js';
import type { Turn } from '../run/turn.js';
import { type Environment, proxyVariables } from '../solid/requests/proxies.js';
import {
  type AnalysisThreadOffer,
  type MainThreadOffer,
  type ThreadData,
  ThreadPort,
} from './between-threads.js';
import type { TurnSettings } from './perform-turn.js';
import type { ReadinessState } from './readiness.js';

export interface AnalysisThreadOptions {
  /** All that the thread is given, including the secrets. */
  data: ThreadData;
  /** The environment of the process. The thread gets only the variables of proxies. */
  env: Environment;
  log: Logger;
  /** Gets the events of the thread, and is told whether the service is ready. */
  observe: Observer;
  resourceLimits?: ResourceLimits;
  entry?: URL;
}

/** Far more memory than any analysis takes. Beyond these limits the thread ends, and the service goes on. */
const DEFAULT_LIMITS: ResourceLimits = {
  maxOldGenerationSizeMb: 768,
  maxYoungGenerationSizeMb: 16,
};
/** After this time a stopped analysis is taken to hang. */
const STOP_LIMIT_MS = 20_000;
const CLOSE_LIMIT_MS = 5_000;
/** The doors open after the first try to log in, or after this time. Status then says that the login goes on. */
const FIRST_LOGIN_MS = 5_000;
/** A thread that has ended is started again after a pause, or when a turn needs it. */
const RESTART_PAUSE_MS = 1_000;

const notStarted = 'The service is logging in.';
const lost = 'The thread that runs the analyses has ended and is being started again.';

interface LivingThread {
  worker: Worker;
  port: ThreadPort<AnalysisThreadOffer>;
}

/**
 * The analysis thread as the main thread sees it. The analysis thread holds all keys, logs in,
 * reads, sums, draws and publishes; the main thread answers its callers meanwhile. When the
 * analysis thread dies, the analysis in hand fails, and another thread is started.
 */
export class AnalysisThread {
  readonly #options: AnalysisThreadOptions;
  readonly #events = new EventEmitter<{ change: [] }>();
  #living: LivingThread | null = null;
  #inHand: { turn: Turn; onFiles: OnFiles } | null = null;
  #state: ReadinessState = { ready: false, reason: notStarted };
  #restart: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(options: AnalysisThreadOptions) {
    this.#options = options;
  }

  get state(): ReadinessState {
    return this.#state;
  }

  /** Settles when the first login worked, failed or took too long. */
  async start(): Promise<void> {
    this.#start();
    const signal = AbortSignal.timeout(FIRST_LOGIN_MS);
    await once(this.#events, 'change', { signal }).catch(() => undefined);
  }

  recheck(): void {
    this.#living?.port.tell('recheck', null);
  }

  /** Tells the thread of a failure in the main thread, so that it can judge whether the service is still ready. */
  failed(error: unknown): void {
    this.#living?.port.tell('recheck', toWireError(error));
  }

  /** Resolves when the turn is done; rejects when calls have no answer. */
  async analyse(turn: Turn, { onFiles }: TurnSettings): Promise<void> {
    const { signal } = turn;
    signal.throwIfAborted();
    const { worker, port } = this.#start();
    let timer: NodeJS.Timeout | undefined;
    const stop = () => {
      port.tell('stop', toWireError(signal.reason));
      timer = setTimeout(() => void worker.terminate(), STOP_LIMIT_MS);
    };
    const endWriting = () => port.tell('endWriting');
    signal.addEventListener('abort', stop, { once: true });
    turn.writingEnds.addEventListener('abort', endWriting, { once: true });
    this.#inHand = { turn, onFiles };
    try {
      // After a stop, this error is only a side effect; performTurn knows the reason.
      await port.ask('analyse', turn.named);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      turn.writingEnds.removeEventListener('abort', endWriting);
      this.#inHand = null;
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#restart);
    if (this.#living === null) return;
    const { worker, port } = this.#living;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    const timer = setTimeout(() => void worker.terminate(), CLOSE_LIMIT_MS);
    port.tell('close');
    await ended;
    clearTimeout(timer);
  }

  #start(): LivingThread {
    if (this.#living !== null) return this.#living;
    if (this.#isClosing) throw new Error('The service is shutting down.');
    clearTimeout(this.#restart);
    const { entry = threadFile(), data, env, resourceLimits = DEFAULT_LIMITS, log } = this.#options;
    const worker = new Worker(entry, {
      workerData: data,
      resourceLimits,
      name: 'analysis',
      // No more than this, because the environment of the process may hold the token of the calls.
      env: proxyVariables(env),
    });
    const port = new ThreadPort<AnalysisThreadOffer>(worker);
    this.#living = { worker, port };
    port.offer(this.#offer());
    worker.on('error', (error) => log.error({ err: error }, 'The analysis thread failed.'));
    worker.on('exit', () => this.#exited());
    return this.#living;
  }

  #offer(): MainThreadOffer {
    return {
      commit: async () => {
        const goingOn = (await this.#inHand?.turn.commit()) ?? [];
        return new Set(goingOn.map(({ id }) => id));
      },
      answer: (callId, report) => this.#inHand?.turn.answer(callId, report),
      files: (read, all) => this.#inHand?.onFiles(read, all),
      readiness: (state) => this.#setState(state),
      observed: (event) => this.#options.observe(event),
    };
  }

  #exited(): void {
    const ended = this.#living;
    this.#living = null;
    ended?.port.fail(new Error('The analysis thread has ended.'));
    if (ended === null || this.#isClosing) return;
    this.#options.log.error('The analysis thread has ended; another one is started.');
    this.#setState({ ready: false, reason: lost });
    this.#restart = setTimeout(() => this.#start(), RESTART_PAUSE_MS);
  }

  #setState(state: ReadinessState): void {
    this.#state = state;
    this.#options.observe({ kind: 'readiness', ready: state.ready });
    this.#events.emit('change');
  }
}

/** The file that the thread runs. When the service is started from source, the loader of TypeScript loads it. */
function threadFile(): URL {
  const extension = extname(import.meta.url);
  const main = new URL(`./thread-main${extension}`, import.meta.url);
  if (extension !== '.ts') return main;
  // A new thread does not inherit the loader.
  const loader = import.meta.resolve('tsx/esm/api');
  const code = [
    `import { register } from ${JSON.stringify(loader)};`,
    'register();',
    `await import(${JSON.stringify(main.href)});`,
  ];
  return new URL(`data:text/javascript,${encodeURIComponent(code.join('\n'))}`);
}
