import type { KeyObject } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { Piscina } from 'piscina';
import { mapConcurrently } from '../../base/concurrency.js';
import { chunksOf } from '../../base/lists.js';

/** Values sent to a thread in one message. */
const BATCH = 250;
const THREADS = availableParallelism();
const IDLE_MS = 5_000;

/** Given with each task rather than to the pool: a file that cannot be loaded then fails one task. */
const openValues = {
  filename: new URL(`./open-values-worker${extname(import.meta.url)}`, import.meta.url).href,
  name: 'openValues',
};

/** Opens sealed values on all cores, away from the event loop. */
export class OpeningThreads {
  #threads: Piscina<string[], (Uint8Array | null)[]> | null = null;

  constructor(private readonly privateKey: KeyObject) {}

  /** Returns one result for each value, in order; null for one that does not open. */
  async open(values: readonly string[], signal?: AbortSignal): Promise<(Buffer | null)[]> {
    const threads = this.#start();
    const opened = await mapConcurrently(chunksOf(values, BATCH), THREADS, (batch) => {
      signal?.throwIfAborted();
      return threads.run(batch, openValues);
    });
    return opened.flat().map((bytes) => bytes && Buffer.from(bytes));
  }

  async dispose(): Promise<void> {
    const threads = this.#threads;
    this.#threads = null;
    await threads?.destroy();
  }

  #start(): Piscina<string[], (Uint8Array | null)[]> {
    if (this.#threads !== null) return this.#threads;
    this.#threads = new Piscina({
      workerData: this.privateKey,
      minThreads: 0,
      maxThreads: THREADS,
      idleTimeout: IDLE_MS,
      env: {},
      // Opened values live briefly; by default each thread would let tens of megabytes of them gather.
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    // Without a listener, a thread that dies between two tasks would end the process.
    this.#threads.on('error', () => undefined);
    return this.#threads;
  }
}
