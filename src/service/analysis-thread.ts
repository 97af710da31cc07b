import { extname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { Logger } from '../base/logger.js';
import { fromWireError, toWireError, type WireError } from '../base/wire-error.js';
import type { Observer } from '../run/observer.js';
import type { OnFiles } from '../run/read/read-task.js';
import { createInHand, readInHand } from '../solid/in-hand.js';
import { type Environment, proxyVariables } from '../solid/requests/transport.js';
import type { FromThread, ThreadData, ToThread } from './between-threads.js';
import type { ReadinessState } from './readiness.js';
import type { Turn } from './turn.js';

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
/** After this time a cancelled analysis is taken to hang. */
const CANCEL_LIMIT_MS = 20_000;
const SHUT_DOWN_LIMIT_MS = 5_000;
/** The doors open after the first try to log in, or after this time. Status then says that the login goes on. */
const FIRST_LOGIN_MS = 5_000;
/** A thread that has ended is started again after a pause, or when a turn needs it. The pause doubles until one works. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [1_000, 30_000];

const notStarted = 'The service is logging in.';
const lost = 'The thread that runs the analyses has ended and is being started again.';

interface AnalysisInHand {
  turn: Turn;
  onFiles: OnFiles;
  /** With the reason when the analysis did not end well. */
  ended: (error: WireError | null) => void;
}

/**
 * The analysis thread as the main thread sees it. The analysis thread holds all keys, logs in,
 * reads, sums, draws and publishes; the main thread answers its callers meanwhile. When the
 * analysis thread dies, the analysis in hand fails, and another thread is started.
 */
export class AnalysisThread {
  readonly #options: AnalysisThreadOptions;
  #worker: Worker | null = null;
  #inHand: AnalysisInHand | null = null;
  #state: ReadinessState = { ready: false, reason: notStarted };
  #restart: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #onState: () => void = () => undefined;
  #isShuttingDown = false;
  readonly #reading = createInHand();

  constructor(options: AnalysisThreadOptions) {
    this.#options = options;
  }

  get state(): ReadinessState {
    return this.#state;
  }

  /** Settles when the first login worked, failed or took too long. */
  async start(): Promise<void> {
    const tried = new Promise<void>((resolve) => {
      this.#onState = resolve;
    });
    this.#start();
    await Promise.race([tried, pause(FIRST_LOGIN_MS, undefined, { ref: false })]);
  }

  recheck(): void {
    this.#tell({ kind: 'recheck' });
  }

  /** Has the thread judge, after a failure in the main thread, whether the service is still ready. */
  failed(error: unknown): void {
    this.#tell({ kind: 'failed', error: toWireError(error) });
  }

  /** Resolves when the analysis has ended, before its turn does; rejects when it did not end well. */
  async analyse(turn: Turn, onFiles: OnFiles): Promise<void> {
    const { signal } = turn;
    signal.throwIfAborted();
    const worker = this.#start();
    let timer: NodeJS.Timeout | undefined;
    const cancel = () => {
      this.#tell({ kind: 'cancel', reason: toWireError(signal.reason) });
      timer = setTimeout(() => void worker.terminate(), CANCEL_LIMIT_MS);
    };
    const endWriting = () => this.#tell({ kind: 'endWriting' });
    signal.addEventListener('abort', cancel, { once: true });
    turn.writingEnds.addEventListener('abort', endWriting, { once: true });
    const end = new Promise<WireError | null>((resolve) => {
      this.#inHand = { turn, onFiles, ended: resolve };
    });
    const calls = turn.calls.map(({ id, webId, runId }) => ({ id, webId, runId }));
    this.#tell({ kind: 'analyse', calls });
    const error = await end;
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
    turn.writingEnds.removeEventListener('abort', endWriting);
    this.#inHand = null;
    if (error !== null) throw fromWireError(error);
  }

  async shutDown(): Promise<void> {
    this.#isShuttingDown = true;
    clearTimeout(this.#restart);
    const worker = this.#worker;
    if (worker === null) return;
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    const timer = setTimeout(() => void worker.terminate(), SHUT_DOWN_LIMIT_MS);
    this.#tell({ kind: 'shutDown' });
    await exited;
    clearTimeout(timer);
  }

  #start(): Worker {
    if (this.#worker !== null) return this.#worker;
    if (this.#isShuttingDown) throw new Error('The service is shutting down.');
    clearTimeout(this.#restart);
    const { entry = threadFile(), data, env, resourceLimits = DEFAULT_LIMITS, log } = this.#options;
    const worker = new Worker(entry, {
      // The token is checked in the main thread.
      workerData: {
        ...data,
        secrets: { ...data.secrets, grpcToken: null },
        inHand: this.#reading,
      },
      resourceLimits,
      name: 'analysis',
      // No more than this, because the environment of the process may hold the token of the calls.
      env: proxyVariables(env),
    });
    worker.on('message', (message: FromThread) => this.#onMessage(message));
    worker.on('error', (error) => log.error({ err: error }, 'The analysis thread failed.'));
    worker.on('exit', () => this.#exited());
    this.#worker = worker;
    return worker;
  }

  #tell(message: ToThread): void {
    this.#worker?.postMessage(message);
  }

  #onMessage(message: FromThread): void {
    switch (message.kind) {
      case 'commit':
        void this.#commit();
        break;
      case 'answer':
        this.#inHand?.turn.answer(message.id, message.report);
        break;
      case 'files':
        this.#inHand?.onFiles(message.read, message.all);
        break;
      case 'ended':
        this.#inHand?.ended(message.error);
        break;
      case 'readiness':
        this.#pauseMs = FIRST_PAUSE_MS;
        this.#setState(message.state);
        break;
      case 'observed':
        this.#options.observe(message.event);
    }
  }

  async #commit(): Promise<void> {
    try {
      const goingOn = (await this.#inHand?.turn.commit()) ?? [];
      const ids = new Set(goingOn.map(({ id }) => id));
      this.#tell({ kind: 'committed', ids, error: null });
    } catch (error) {
      this.#tell({ kind: 'committed', ids: new Set(), error: toWireError(error) });
    }
  }

  #exited(): void {
    this.#worker = null;
    this.#inHand?.ended(toWireError(new Error('The analysis thread has ended.')));
    if (this.#isShuttingDown) return;
    this.#options.log.error('The analysis thread has ended; another one is started.');
    const url = readInHand(this.#reading);
    // Perhaps others had filled the memory.
    if (url !== '')
      this.#options.log.error(
        `${url} was being read when the thread ended; the next analysis leaves it out.`,
      );
    this.#setState({ ready: false, reason: lost });
    this.#restart = setTimeout(() => this.#start(), this.#pauseMs);
    this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
  }

  #setState(state: ReadinessState): void {
    this.#state = state;
    this.#options.observe({ kind: 'readiness', ready: state.ready });
    this.#onState();
  }
}

/** The file that the thread runs. When the service is started from source, the loader of TypeScript loads it. */
function threadFile(): URL {
  const extension = extname(import.meta.url);
  const main = new URL(`./inside-thread${extension}`, import.meta.url);
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
